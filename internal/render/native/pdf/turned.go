package pdf

// Turned reports whether a JPEG shows with rows and columns exchanged, as its EXIF orientation says. It is false of anything else.
func Turned(data []byte) bool {
	return len(data) > 2 && data[0] == 0xff && data[1] == 0xd8 && orientationOf(data).turned()
}
