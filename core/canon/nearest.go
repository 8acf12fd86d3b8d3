package canon

import "strings"

// Nearest returns the known name that was probably meant: the one that differs only in letter case, else the first of the
// closest within two edits (one edit for names of up to four bytes), else "". An edit inserts, drops or changes a byte, or
// swaps two neighbours.
func Nearest(name string, known []string) string {
	for _, candidate := range known {
		if strings.EqualFold(name, candidate) {
			return candidate
		}
	}
	best, least := "", 3
	if len(name) <= 4 {
		least = 2
	}
	if len(name) > maxKey { // a stranger chose the length, and the work grows with it
		return ""
	}
	for _, candidate := range known {
		if len(candidate) > maxKey {
			continue
		}
		if d := edits(strings.ToLower(name), strings.ToLower(candidate)); d < least && d < len(candidate) {
			best, least = candidate, d
		}
	}
	return best
}

// edits is the optimal string alignment distance, on three rolling rows.
func edits(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := last[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
