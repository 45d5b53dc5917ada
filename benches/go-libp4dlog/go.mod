module plimsoll/benches/golibp4dlog

go 1.24

require (
	github.com/rcowham/go-libp4dlog v0.0.0
	github.com/sirupsen/logrus v1.9.3
)

require golang.org/x/sys v0.32.0 // indirect

// A checkout of https://github.com/rcowham/go-libp4dlog: it is not on every module proxy. GO_LIBP4DLOG.sh puts it here.
replace github.com/rcowham/go-libp4dlog => ./checkout
