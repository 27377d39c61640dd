package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// size is a number of bytes as a flag: 1048576, 512MiB, 2G, 1.5GB. K, M, G and
// T, alone or with iB, are powers of 1024; with B they are powers of 1000.
type size int64

// Set implements pflag.Value.
func (s *size) Set(text string) error {
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
	unit := strings.ToLower(strings.TrimSpace(text[len(digits):]))
	base := 1024.0
	if strings.HasSuffix(unit, "b") && !strings.HasSuffix(unit, "ib") {
		base = 1000
	}
	prefix := strings.TrimSuffix(strings.TrimSuffix(unit, "b"), "i")
	power := 0
	if prefix != "" {
		power = strings.Index("kmgt", prefix) + 1
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err != nil || len(prefix) > 1 || prefix != "" && power == 0 || prefix == "" && strings.HasPrefix(unit, "i") {
		return fmt.Errorf("want a size such as 512MiB")
	}
	n *= math.Pow(base, float64(power))
	if !(n >= 1 && n < 1<<50) {
		return fmt.Errorf("want a size between 1 byte and 1024 TiB")
	}
	*s = size(n)
	return nil
}

func (s *size) String() string {
	if *s == 0 {
		return ""
	}
	return formatBytes(int64(*s))
}

// Type implements pflag.Value.
func (s *size) Type() string { return "size" }

// formatBytes writes a number of bytes for people, with three digits.
func formatBytes(n int64) string {
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	v, unit := float64(n), 0
	for v >= 1023.95 && unit < 4 {
		v /= 1024
		unit++
	}
	digits := 0
	if v < 99.95 {
		digits = 1
	}
	return fmt.Sprintf("%.*f %ciB", digits, v, "KMGT"[unit-1])
}

// formatCount writes a number with its thousands set apart by commas.
func formatCount(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
