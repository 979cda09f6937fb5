module example.org/notebook

go 1.26
