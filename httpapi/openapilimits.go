package httpapi

import (
	"github.com/go-json-experiment/json/jsontext"
)

// What each answer to a request with a key may have is added to the description
// here, in place of being repeated at every route.
const (
	limitHeaders = `"RateLimit-Policy":{"$ref":"#/components/headers/RateLimit-Policy"},"RateLimit":{"$ref":"#/components/headers/RateLimit"}`
	slowAnswer   = `"408":{"$ref":"#/components/responses/Timeout"},`
	limitAnswer  = `"429":{"$ref":"#/components/responses/TooManyRequests"}`
)

// addLimits adds to the operations of a path the answers to a body that comes too
// slowly, if there is one, and to a key that makes too many requests, and to all
// their answers the headers about what is left. Operations that need no key stay as they are.
func addLimits(path jsontext.Value) jsontext.Value {
	return mapMembers(path, func(name string, op jsontext.Value) jsontext.Value {
		open, answers := name == "parameters", limitAnswer
		mapMembers(op, func(name string, v jsontext.Value) jsontext.Value {
			if name == "requestBody" {
				answers = slowAnswer + limitAnswer
			}
			open = open || name == "security" && string(v) == "[]"
			return v
		})
		if open {
			return op
		}
		return mapMembers(op, func(name string, v jsontext.Value) jsontext.Value {
			if name != "responses" {
				return v
			}
			return withMembers(mapMembers(v, func(_ string, response jsontext.Value) jsontext.Value {
				return addLimitHeaders(response)
			}), answers)
		})
	})
}

// addLimitHeaders adds the headers to the description of an answer that is not
// a reference.
func addLimitHeaders(response jsontext.Value) jsontext.Value {
	return mapMembers(response, func(name string, v jsontext.Value) jsontext.Value {
		if name == "headers" {
			return withMembers(v, limitHeaders)
		}
		return v
	})
}

// mapMembers returns an object with its values replaced; anything else stays
// as it is.
func mapMembers(object jsontext.Value, f func(name string, v jsontext.Value) jsontext.Value) jsontext.Value {
	if object.Kind() != '{' {
		return object
	}
	w := jsonWriter{}
	w.open('{')
	eachMember(object, func(name string, v jsontext.Value) {
		w.keyText(name)
		w.raw(f(name, v))
	})
	w.close('}')
	return w.buf
}

// withMembers appends members, as JSON, to an object that is not empty.
func withMembers(object jsontext.Value, members string) jsontext.Value {
	return append(object[:len(object)-1:len(object)-1], ","+members+"}"...)
}
