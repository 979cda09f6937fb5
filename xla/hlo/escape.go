package hlo

// appendQuoted appends s in double quotes, escaped as absl::CEscape does.
func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '\n':
			b = append(b, `\n`...)
		case '\r':
			b = append(b, `\r`...)
		case '\t':
			b = append(b, `\t`...)
		case '"', '\'', '\\':
			b = append(b, '\\', c)
		default:
			if c < 0x20 || c >= 0x7f {
				b = append(b, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
			} else {
				b = append(b, c)
			}
		}
	}
	return append(b, '"')
}
