module example.com/go-shapes

go 1.24
