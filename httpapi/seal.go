package httpapi

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
)

// sealer hides answers that hold a secret from everybody but who got them. Its
// key is made of what a request carries and is stored nowhere: the text of the
// API key and the Idempotency-Key.
//
// A sealed answer is sealedMark, 12 random bytes, and the answer under
// AES-256-GCM. One that is not sealed is JSON and begins with a bracket.
type sealer struct{ key [sha256.Size]byte }

const sealedMark = 1

func newSealer(bearer, idempotencyKey string) *sealer {
	return &sealer{sha256.Sum256([]byte("quarry-replay\n" + bearer + "\x00" + idempotencyKey))}
}

func (s *sealer) aead() cipher.AEAD {
	block, err := aes.NewCipher(s.key[:])
	if err != nil {
		panic(err) // the length of the key is a constant
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err) // so is that of the block
	}
	return aead
}

// seal hides an answer. place, where it is going to be stored, has to be the
// same for open.
func (s *sealer) seal(answer []byte, place string) []byte {
	aead := s.aead()
	out := append([]byte{sealedMark}, make([]byte, aead.NonceSize())...)
	rand.Read(out[1:])
	return aead.Seal(out, out[1:], answer, []byte(place))
}

// open returns an answer that seal hid; ok is false if it was another's, or is
// damaged.
func (s *sealer) open(sealed []byte, place string) (answer []byte, ok bool) {
	aead := s.aead()
	if len(sealed) < 1+aead.NonceSize() || sealed[0] != sealedMark {
		return nil, false
	}
	nonce, text := sealed[1:1+aead.NonceSize()], sealed[1+aead.NonceSize():]
	answer, err := aead.Open(nil, nonce, text, []byte(place))
	return answer, err == nil
}
