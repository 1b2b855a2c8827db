package doctest

import "net/http"

// Check runs the examples of a page given as text and returns the differences.
func Check(page string, handler http.Handler) error {
	blocks, err := parse(page)
	if err != nil {
		return err
	}
	for i := 0; i+1 < len(blocks); i += 2 {
		if err := check(blocks[i], blocks[i+1], handler); err != nil {
			return err
		}
	}
	return nil
}
