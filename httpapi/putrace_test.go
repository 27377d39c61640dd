package httpapi

import (
	"sync"
	"testing"
)

// TestPutWhileDeleted: PUT makes an index or changes it, whoever deletes it meanwhile.
func TestPutWhileDeleted(t *testing.T) {
	s := newService(t)
	var deleting sync.WaitGroup
	stop := make(chan struct{})
	deleting.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				s.do("DELETE", "/v1/indexes/race", "")
			}
		}
	})
	for i := range 300 {
		body := `{"language":"` + []string{"en", "de"}[i%2] + `","fields":[{"name":"title","type":"text"}]}`
		if a := s.do("PUT", "/v1/indexes/race", body); a.status != 200 && a.status != 201 {
			t.Errorf("PUT %d: %d %s", i, a.status, a.body)
			break
		}
	}
	close(stop)
	deleting.Wait()
}
