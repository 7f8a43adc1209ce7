#!/usr/bin/env bash
# scripts/env.sh EXAMPLE FILE writes FILE from EXAMPLE with fresh random secrets. A FILE that is there is kept:
# another PLATEN_SECRET_KEY could not read what the first one encrypted.
set -euo pipefail

if [ -e "$2" ]; then
	touch "$2"
	exit 0
fi
random() { head -c 32 /dev/urandom | base64 | tr -d '\n'; }
umask 077
sed -e "s|^PLATEN_SECRET_KEY=\$|PLATEN_SECRET_KEY=$(random)|" \
	-e "s|^PLATEN_ADMIN_KEY=\$|PLATEN_ADMIN_KEY=$(random | tr '+/' '-_' | tr -d =)|" \
	-e "s|^PLATEN_CALLBACK_SECRET=\$|PLATEN_CALLBACK_SECRET=whsec_$(random)|" \
	"$1" >"$2"
echo "wrote $2 with fresh secrets; keep a copy of it" >&2
