package chromium

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
)

// programs are the names under which the browser is looked for, the leanest first. Debian's launcher script
// of the headless shell adds a process and nothing else, so what it starts comes before it.
var programs = []string{
	"/usr/lib/chromium/chromium-headless-shell",
	"chromium-headless-shell",
	"chrome-headless-shell",
	"headless-shell",
	"/headless-shell/headless-shell",
	"chromium",
	"chromium-browser",
	"google-chrome",
}

// FindProgram returns the path of the browser; wanted "" looks in the usual places.
func FindProgram(wanted string) (string, error) {
	if wanted != "" {
		path, err := exec.LookPath(wanted)
		if err != nil {
			return "", fmt.Errorf("find the browser: %w", err)
		}
		return filepath.Abs(path)
	}
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("find the browser: none is installed; on Debian: apt-get install chromium-headless-shell")
}

// flags of every browser. What a page may reach is decided by the proxy: each way around it is shut here.
var flags = []string{
	"--headless",
	"--remote-debugging-pipe",
	"--no-first-run",
	"--no-default-browser-check",
	"--disable-breakpad",
	"--disable-crash-reporter",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-default-apps",
	"--disable-domain-reliability",
	"--disable-extensions",
	"--disable-sync",
	"--disable-client-side-phishing-detection",
	"--metrics-recording-only",
	"--disable-dev-shm-usage",
	"--disable-gpu",
	"--disable-background-timer-throttling",
	"--disable-backgrounding-occluded-windows",
	"--disable-renderer-backgrounding",
	"--font-render-hinting=none",
	"--force-color-profile=srgb",
	"--hide-scrollbars",
	"--mute-audio",
	"--lang=en-US",

	// Loopback goes through the proxy as well; QUIC and WebRTC would send UDP past it; and whatever still asks
	// for a name (a dns-prefetch link) gets no answer: names are resolved by the proxy alone.
	"--proxy-bypass-list=<-loopback>",
	"--disable-quic",
	"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",

	// All frames of one page are one job's and share its process, so that interception sees all their requests.
	// Pages of different jobs never share one: they live in different browser contexts.
	"--disable-site-isolation-trials",
	// A document may name http addresses although its own is https: the guard decides, not the scheme. What it
	// loads when it is scrolled to is loaded at once: nobody scrolls.
	"--blink-settings=allowRunningOfInsecureContent=true,lazyLoadEnabled=false",
	"--disable-features=IsolateOrigins,site-per-process,AutoupgradeMixedContent,LocalNetworkAccessChecks," +
		"OptimizationHints,Translate,MediaRouter,DialMediaRouteProvider,PaintHolding,SpareRendererForSitePerProcess",
}

// arguments are all flags of one browser.
func arguments(o Options, profile, proxy, proxyHost string) []string {
	args := append([]string{}, flags...)
	args = append(args,
		"--user-data-dir="+profile,
		"--proxy-server=http://"+proxy,
		"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE "+proxyHost,
	)
	if o.NoSandbox {
		args = append(args, "--no-sandbox")
	}
	return append(args, "about:blank")
}

// environment is all that the browser sees of ours: nothing. Fontconfig and Chromium keep their caches below
// home, dates and names follow the page's own locale and zone.
func environment(home, fontsConf string) []string {
	return []string{
		"PATH=/usr/local/bin:/usr/bin:/bin",
		"HOME=" + home,
		"TMPDIR=" + home,
		"XDG_CONFIG_HOME=" + home,
		"XDG_CACHE_HOME=" + home,
		"LANG=C.UTF-8",
		"TZ=UTC",
		"FONTCONFIG_FILE=" + fontsConf,
	}
}

// User is whom the browser runs as.
type User struct{ UID, GID uint32 }

// runAs returns the user to change to: the one that was wanted or, for root, nobody. The sandbox needs a user
// who is not root. Nil means no change.
func runAs(wanted *User) *User {
	if wanted != nil || os.Geteuid() != 0 {
		return wanted
	}
	unprivileged := &User{UID: 65534, GID: 65534}
	account, err := user.Lookup("nobody")
	if err != nil {
		return unprivileged
	}
	uid, uidErr := strconv.ParseUint(account.Uid, 10, 32)
	gid, gidErr := strconv.ParseUint(account.Gid, 10, 32)
	if uidErr != nil || gidErr != nil {
		return unprivileged
	}
	return &User{UID: uint32(uid), GID: uint32(gid)}
}
