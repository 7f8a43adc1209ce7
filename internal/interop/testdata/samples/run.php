<?php
// Runs verify of the file at argv[1] on the cases of standard input (six fields each, ended by NUL) and prints verdicts.
namespace receiver;

// time stands before PHP's own in the namespace that the sample is put into.
function time(): int
{
    return $GLOBALS['now'] === '' ? \time() : (int) $GLOBALS['now'];
}

set_error_handler(function (int $severity, string $message): never {
    throw new \Error($message);
});
$source = file_get_contents($argv[1]);
eval('namespace receiver; use InvalidArgumentException;' . preg_replace('/^<\?php/', '', $source));

function verdict(string $secret, string $id, string $timestamp, string $signatures, string $file): string
{
    $headers = ['webhook-id' => $id, 'webhook-timestamp' => $timestamp, 'webhook-signature' => $signatures];
    try {
        return verify($secret, array_filter($headers, strlen(...)), file_get_contents($file)) ? 'accepted' : 'refused';
    } catch (\Throwable $error) {
        fwrite(STDERR, $error->getMessage() . "\n");
        return 'error';
    }
}

$fields = explode("\0", stream_get_contents(STDIN));
while (count($fields) > 6) {
    [$now, $secret, $id, $timestamp, $signatures, $file] = array_splice($fields, 0, 6);
    echo verdict($secret, $id, $timestamp, $signatures, $file), "\n";
}
