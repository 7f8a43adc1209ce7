package blobs

import "os"

// OnFullDisk returns a store whose temporary files are made as ever but written to a device that is full.
func OnFullDisk(dir string) FileStore {
	return FileStore{Dir: dir, create: func(root *os.Root, name string) (*os.File, error) {
		f, err := createTemp(root, name)
		if err != nil {
			return nil, err
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
		return os.OpenFile("/dev/full", os.O_WRONLY, 0)
	}}
}

// SweptTooEarly returns a store whose temporary files vanish while they are written.
func SweptTooEarly(dir string) FileStore {
	return FileStore{Dir: dir, create: func(root *os.Root, name string) (*os.File, error) {
		f, err := createTemp(root, name)
		if err != nil {
			return nil, err
		}
		return f, root.Remove(name)
	}}
}
