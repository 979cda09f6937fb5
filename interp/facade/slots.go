package facade

import (
	"errors"
	"reflect"
	"sync"
	"unsafe"
)

// slots holds the function values of methods. Method tables want code without a
// context; the code at stub i runs the function in slot i with the arguments
// that it finds. See the assembly files.
var slots [slotCount]unsafe.Pointer

const (
	slotCount = 4096
	stubSize  = 8
)

var (
	slotMu   sync.Mutex
	slotNext int
	slotFree []int
)

var errNoSlots = errors.New("too many methods of cell types have been seen by compiled packages; %reset makes room")

// newSlot takes a slot for a function and gives the code that runs it.
func newSlot(f reflect.Value) (int, unsafe.Pointer, error) {
	base := stubBase()
	if base == nil {
		return 0, nil, errors.New("methods of cell types cannot be shown on this platform")
	}
	slotMu.Lock()
	defer slotMu.Unlock()
	i := slotNext
	switch {
	case len(slotFree) > 0:
		i = slotFree[len(slotFree)-1]
		slotFree = slotFree[:len(slotFree)-1]
	case slotNext == slotCount:
		return 0, nil, errNoSlots
	default:
		slotNext++
	}
	x := f.Interface()
	slots[i] = (*[2]unsafe.Pointer)(unsafe.Pointer(&x))[1]
	return i, unsafe.Add(base, i*stubSize), nil
}

func freeSlots(list []int) {
	slotMu.Lock()
	defer slotMu.Unlock()
	for _, i := range list {
		slots[i] = nil
	}
	slotFree = append(slotFree, list...)
}
