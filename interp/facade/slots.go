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
	slotCount = 32768
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
	case slotNext < slotCount:
		slotNext++
	case len(slotFree) > 0:
		i = slotFree[0]
		slotFree = slotFree[1:]
	default:
		return 0, nil, errNoSlots
	}
	slots[i] = funcWord(f.Interface())
	return i, unsafe.Add(base, i*stubSize), nil
}

// funcWord is the pointer behind a function in an interface.
func funcWord(f any) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(&f))[1] }

// freed is the code of methods whose type has been freed. A compiled package may
// still hold such a type, as gob does of those that are registered.
var freed any = func() { panic(errFreed) }

var errFreed = errors.New("a method was called of a cell type that %reset has forgotten")

// freeSlots gives slots back. They are used again as late as can be, the one
// freed first before the others: the code of another method would take the
// arguments of one that is still called for its own.
func freeSlots(list []int) {
	slotMu.Lock()
	defer slotMu.Unlock()
	for _, i := range list {
		slots[i] = funcWord(freed)
	}
	slotFree = append(slotFree, list...)
}
