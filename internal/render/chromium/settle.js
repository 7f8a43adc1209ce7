// Resolves when the page is complete, with what is broken in it. Runs in our isolated world, after the page has
// loaded: it does not wait for that itself, because a page that stops its own loading never gets the event.
(async () => {
  await document.fonts.ready;
  const named = [...document.images].map((image) => [image, image.currentSrc || image.src]).filter((pair) => pair[1]);
  const decoded = await Promise.allSettled(named.map((pair) => pair[0].decode()));
  if (document.scripts.length > 0) {
    // A script that has just got its data draws in the frames that follow.
    const frame = () => new Promise((resolve) => { requestAnimationFrame(resolve); setTimeout(resolve, 100); });
    await frame();
    await frame();
  }
  return {
    images: named.filter((_, i) => decoded[i].status === "rejected").map((pair) => pair[1].slice(0, 2000)).slice(0, 50),
    fonts: [...document.fonts].filter((font) => font.status === "error").map((font) => font.family.slice(0, 200)).slice(0, 50),
  };
})()
