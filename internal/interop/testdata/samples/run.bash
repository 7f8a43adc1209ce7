# Runs verify of the script at $1 on the cases of standard input (six fields each, ended by NUL) and prints verdicts.
source "$1"

next() { IFS= read -r -d '' "$1"; }

while next now && next secret && next id && next timestamp && next signatures && next file; do
	unset -f date
	if [[ -n $now ]]; then
		date() { echo "$now"; }
	fi
	verify "$secret" "$id" "$timestamp" "$signatures" "$file" </dev/null
	case $? in
	0) echo accepted ;;
	1) echo refused ;;
	*) echo error ;;
	esac
done
