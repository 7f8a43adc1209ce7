package pgtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

var errMissing = errors.New("PostgreSQL is not installed (Debian package: postgresql)")

// programs are the paths of those we run.
type programs struct{ initdb, postgres string }

// findPrograms looks where Debian puts each version, which is not on the PATH, and then on the PATH.
func findPrograms() (programs, error) {
	servers, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if err != nil {
		return programs{}, err
	}
	if path, err := exec.LookPath("postgres"); err == nil {
		servers = append(servers, path)
	}
	for _, server := range servers {
		initdb := filepath.Join(filepath.Dir(server), "initdb")
		if _, err := os.Stat(initdb); err == nil {
			return programs{initdb: initdb, postgres: server}, nil
		}
	}
	return programs{}, errMissing
}

// owner is the user whose files and processes the server's are. PostgreSQL refuses to run as root.
type owner struct{ credential *syscall.Credential } // nil: ourselves

func findOwner() (owner, error) {
	if os.Getuid() != 0 {
		return owner{}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(found.Uid, 10, 32)
		if err != nil {
			return owner{}, fmt.Errorf("user %s: %w", name, err)
		}
		gid, err := strconv.ParseUint(found.Gid, 10, 32)
		if err != nil {
			return owner{}, fmt.Errorf("user %s: %w", name, err)
		}
		return owner{&syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
	}
	return owner{}, errors.New("PostgreSQL does not run as root, and there is neither a user postgres nor nobody")
}

func (o owner) give(path string) error {
	if o.credential == nil {
		return nil
	}
	return os.Chown(path, int(o.credential.Uid), int(o.credential.Gid))
}
