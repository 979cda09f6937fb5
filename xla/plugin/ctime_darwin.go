package plugin

import "syscall"

// changeTime is when the file's inode last changed: unlike the time of
// modification, nobody can set it back.
func changeTime(st *syscall.Stat_t) syscall.Timespec { return st.Ctimespec }
