package main

import (
	"fmt"
	"net/netip"
	"strings"
)

// networks is a list of networks as a flag: CIDR prefixes, or single addresses.
type networks []netip.Prefix

// Set implements pflag.Value; it adds to the list.
func (n *networks) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		prefix, err := netip.ParsePrefix(part)
		if address, single := netip.ParseAddr(part); single == nil && address.Zone() == "" {
			address = address.Unmap()
			prefix, err = netip.PrefixFrom(address, address.BitLen()), nil
		}
		if err != nil || prefix.Addr().Is4In6() {
			return fmt.Errorf("want a network such as 10.0.0.0/8, or an address")
		}
		*n = append(*n, prefix.Masked())
	}
	return nil
}

// Type implements pflag.Value.
func (n *networks) Type() string { return "CIDR" }

func (n *networks) String() string {
	var list []string
	for _, p := range *n {
		list = append(list, p.String())
	}
	return strings.Join(list, ",")
}
