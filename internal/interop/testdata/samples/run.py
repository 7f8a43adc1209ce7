# Runs verify of the module at argv[1] on the cases of standard input (six fields each, ended by NUL) and prints verdicts.
import pathlib, runpy, sys, time

verify = runpy.run_path(sys.argv[1])["verify"]
clock = time.time


def verdict(now, secret, event_id, timestamp, signatures, file):
    time.time = (lambda: float(now)) if now else clock
    headers = {"webhook-id": event_id, "webhook-timestamp": timestamp, "webhook-signature": signatures}
    try:
        given = {name: value for name, value in headers.items() if value}
        return "accepted" if verify(secret, given, pathlib.Path(file).read_bytes()) else "refused"
    except Exception as error:
        print(error, file=sys.stderr)
        return "error"


fields = sys.stdin.buffer.read().decode().split("\0")
for start in range(0, len(fields) - 6, 6):
    print(verdict(*fields[start : start + 6]))
