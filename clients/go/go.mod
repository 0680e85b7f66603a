module mediatoken.invalid/mediatoken

go 1.19
