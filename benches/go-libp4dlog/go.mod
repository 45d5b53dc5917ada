module plimsoll/benches/golibp4dlog

go 1.24

require (
	github.com/rcowham/go-libp4dlog v0.0.0
	github.com/sirupsen/logrus v1.9.3
)

require golang.org/x/sys v0.32.0 // indirect

// Not every module proxy has it: git clone https://github.com/rcowham/go-libp4dlog checkout && go build -o go-libp4dlog
replace github.com/rcowham/go-libp4dlog => ./checkout
