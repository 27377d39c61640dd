package httpapi

import "slices"

// contract is the documented interface in the order of its documentation. Each
// step goes on where the ones before it have led.
var contract = slices.Concat(contractOfIndexes, contractOfBatches, contractOfSearch, contractOfRecords, contractOfErrors, contractOfGraphQL, contractOfKeys, contractOfUsage, contractOfMore)

var contractOfIndexes = []step{
	{"no index yet", `GET /v1/indexes`, `200
Content-Type: application/json
Request-Id: ` + requestID + `

{"indexes":[],"total":0,"next_cursor":null}`},
	{"an index with a schema", `PUT /v1/indexes/products

{"fields":[{"name":"title","type":"text","weight":3},{"name":"description","type":"text"},{"name":"brand","type":"keyword","filter":true,"facet":true},
 {"name":"price","type":"float","filter":true,"sort":true,"facet":true},{"name":"rating","type":"float","filter":true},
 {"name":"in_stock","type":"bool","filter":true},{"name":"discontinued","type":"bool","filter":true}]}`, `201
Location: /v1/indexes/products

{"name":"products","visible":true,"records":0,"bytes":"~number","state":"ready","version":1,"primary_key":"id","language":"en","created_at":"~time","updated_at":"~time",
 "fields":[{"name":"title","type":"text","search":true,"weight":3},{"name":"description","type":"text","search":true},{"name":"brand","type":"keyword","filter":true,"facet":true},"~more"]}`},
	{"the same again", `PUT /v1/indexes/products

{"fields":[{"name":"title","type":"text","weight":3},{"name":"description","type":"text"},{"name":"brand","type":"keyword","filter":true,"facet":true},
 {"name":"price","type":"float","filter":true,"sort":true,"facet":true},{"name":"rating","type":"float","filter":true},
 {"name":"in_stock","type":"bool","filter":true},{"name":"discontinued","type":"bool","filter":true}]}`, `200

{"name":"products"}`},
	{"a name that is none", `PUT /v1/indexes/Products

{}`, `422

{` + problemTop + `"status":422,"code":"invalid_request"}`},
	{"an index that is not there", `GET /v1/indexes/news`, `404
Content-Type: application/problem\+json

{` + problemTop + `"status":404,"code":"index_not_found"}`},
}

var contractOfBatches = []step{
	{"records in short", `POST /v1/batch

{"index":"products","records":[
 {"id":"sku-43","title":"Red hat","price":12.5,"brand":"Nike","in_stock":true,"rating":4.8},
 {"id":"sku-7","title":"Blue running shoes","price":20,"brand":"Asics","in_stock":true,"discontinued":true},
 {"id":"sku-8","title":"Red running shoes for children","price":49.9,"brand":"Asics","in_stock":true,"rating":4.1}]}`, `201
Location: /v1/batch/bat_.{26}

{"id":"` + batchID + `","state":"applied","atomic":true,"version":"~number","counts":{"put":3,"patched":0,"deleted":0,"failed":0},
 "ids":["sku-43","sku-7","sku-8"],"indexes_created":[],"took_ms":"~number","created_at":"~time","applied_at":"~time"}`},
	{"operations of all kinds", `POST /v1/batch
Idempotency-Key: "8e03978e-40d5-43e8-bc93-6894a57f9324"

{"index":"products","operations":[
  {"op":"put","record":{"id":"sku-42","title":"Red running shoes","price":39.9,"brand":"Nike","in_stock":true}},
  {"op":"patch","id":"sku-43","record":{"price":10}},
  {"op":"delete","id":"sku-9"},
  {"op":"delete_where","filter":"discontinued = true"},
  {"op":"put","index":"news","record":{"title":"no id: one is made"}}]}`, `201
Location: /v1/batch/bat_.{26}

{"id":"` + batchID + `","state":"applied","atomic":true,"version":"~number","counts":{"put":2,"patched":1,"deleted":1,"failed":0},
 "ids":["sku-42","sku-43","sku-9",null,"~=made ([0-9A-HJKMNP-TV-Z]{26})"],"indexes_created":["news"],"took_ms":"~number","created_at":"~time","applied_at":"~time"}`},
	{"the answer again", `POST /v1/batch
Idempotency-Key: 8e03978e-40d5-43e8-bc93-6894a57f9324

{"index":"products","operations":[
  {"op":"put","record":{"id":"sku-42","title":"Red running shoes","price":39.9,"brand":"Nike","in_stock":true}},
  {"op":"patch","id":"sku-43","record":{"price":10}},
  {"op":"delete","id":"sku-9"},
  {"op":"delete_where","filter":"discontinued = true"},
  {"op":"put","index":"news","record":{"title":"no id: one is made"}}]}`, `201
Idempotency-Replayed: true
Location: /v1/batch/{{batch}}

{"id":"{{batch}}","ids":["sku-42","sku-43","sku-9",null,"{{made}}"]}`},
	{"the key for something else", `POST /v1/batch
Idempotency-Key: 8e03978e-40d5-43e8-bc93-6894a57f9324

{"index":"products","records":[]}`, `422

{` + problemTop + `"status":422,"code":"idempotency_key_reused"}`},
	{"what a batch did", `GET /v1/batch/{{batch}}`, `200

{"id":"{{batch}}","state":"applied","counts":{"put":2,"patched":1,"deleted":1,"failed":0},"indexes_created":["news"]}`},
	{"a batch that is not remembered", `GET /v1/batch/bat_01JD3Z5Q0H4V8`, `404

{` + problemTop + `"status":404,"code":"batch_not_found"}`},
	{"all or nothing", `POST /v1/batch

{"index":"products","operations":[{"op":"put","record":{"id":"x"}},{"op":"put","record":{"id":"y","price":"dear"}},{"op":"put_new","record":{"id":"sku-42"}}]}`, `422

{` + problemTop + `"status":422,"code":"invalid_request","detail":"2 problems in the request","errors":[
 {"position":1,"pointer":"/operations/1/record/price","code":"invalid_field_type","detail":"~"},
 {"position":2,"pointer":"/operations/2","code":"record_exists","detail":"~"}]}`},
	{"as much as goes", `POST /v1/batch

{"atomic":false,"index":"products","operations":[{"op":"put","record":{"id":"y","price":"dear"}},{"op":"put","record":{"id":"z","title":"Green"}}]}`, `201

{"atomic":false,"counts":{"put":1,"patched":0,"deleted":0,"failed":1},"ids":[null,"z"],
 "errors":[{"position":0,"code":"invalid_field_type","pointer":"/operations/0/record/price","detail":"~"}]}`},
	{"a version that has passed", `POST /v1/batch

{"index":"products","operations":[{"op":"delete","id":"z","if_version":1}]}`, `409

{` + problemTop + `"status":409,"code":"version_mismatch","errors":[{"position":0,"pointer":"/operations/0/if_version","code":"version_mismatch"}]}`},
	{"deleting what is not there", `POST /v1/batch

{"index":"products","operations":[{"op":"delete","id":"z"},{"op":"delete","id":"z"},{"op":"delete","id":"nothing"}]}`, `201

{"counts":{"put":0,"patched":0,"deleted":1,"failed":0}}`},
	{"patching by a filter", `POST /v1/batch

{"index":"products","operations":[{"op":"patch_where","filter":"brand = 'Nike'","record":{"on_sale":true}}]}`, `201

{"counts":{"put":0,"patched":2,"deleted":0,"failed":0}}`},
	{"lines of JSON", `POST /v1/batch?index=towns&op=put
Content-Type: application/x-ndjson

{"id":1,"name":"Bern","people":134794}
{"id":2,"name":"Thun","people":43734}`, `201

{"counts":{"put":2,"patched":0,"deleted":0,"failed":0},"ids":["1","2"],"indexes_created":["towns"]}`},
	{"a table", `POST /v1/batch?index=towns&op=put
Content-Type: text/csv

id,name,people
3,"Biel, Bienne",55206
`, `201

{"counts":{"put":1,"patched":0,"deleted":0,"failed":0},"ids":["3"],"indexes_created":[]}`},
	{"later", `POST /v1/batch
Prefer: respond-async

{"index":"products","operations":[{"op":"delete","id":"nobody"}]}`, `201
Preference-Applied: respond-async
Location: /v1/batch/bat_.{26}

{"id":"~=queued (bat_.{26})","state":"queued","progress":{"done":0,"total":1},"applied_at":null}`},
	{"how it goes", `GET /v1/batch/{{queued}}`, `200

{"id":"{{queued}}","state":"~"}`},
	{"the batches", `GET /v1/batch?limit=1`, `200

{"batches":[{"id":"{{queued}}"}],"total":"~number","next_cursor":"~"}`},
	{"too late to cancel", `DELETE /v1/batch/{{batch}}`, `409

{` + problemTop + `"status":409,"code":"batch_not_cancellable"}`},
	{"integers of 64 bits", `PUT /v1/record/big?index=towns

{"people":9223372036854775807}`, `201
Location: /v1/record/big\?index=towns

{"id":"big","index":"towns","version":"~number"}`},
}

var contractOfSearch = []step{
	{"only a query", `POST /v1/search

{"q":"running shoes"}`, `200

{"hits":[{"id":"~","index":"products","score":"~number","record":{"id":"~","title":"~"}},{"id":"~"}],"total":2,"total_exact":true,"limit":20,"offset":0,"next_cursor":null,
 "query":{"text":"running shoes","filters_from_intent":[],"corrections":[],"did_you_mean":null},"version":"~number","took_ms":"~number"}`},
	{"a misspelling", `POST /v1/search

{"q":"red runing shoes","index":"products","explain":true,"limit":1}`, `200

{"hits":[{"id":"sku-42"}],"query":{"text":"red running shoes","corrections":[{"from":"runing","to":"running"}],"did_you_mean":null}}`},
	{"every parameter of the example", `POST /v1/search

{"q":"red running shoes","index":"products","limit":2,
 "filter":"in_stock = true AND (brand IN [\"Nike\",\"Asics\"] OR rating >= 4.5)",
 "sort":["score:desc","price:asc"],"fields":["title^3","description"],
 "facets":["brand",{"field":"price","ranges":[[null,50],[50,100],[100,null]]}],
 "highlight":{"fields":["title"],"pre":"<mark>","post":"</mark>","words":24},
 "typo":"auto","prefix":"last","match":"auto","intent":"on","explain":true}`, `200

{"hits":[{"id":"sku-42","index":"products","score":"~number",
   "record":{"id":"sku-42","title":"Red running shoes","price":39.9,"brand":"Nike","in_stock":true,"on_sale":true},
   "highlight":{"title":{"text":"<mark>Red</mark> <mark>running</mark> <mark>shoes</mark>","matches":[[0,3],[4,7],[12,5]]}},
   "explain":{"score":"~number","formula":"sum","parts":[{"field":"title","term":"~","tf":1,"df":"~number","idf":"~number","norm":"~number","weight":3,"score":"~number"},"~more"]}},
  {"id":"sku-8"}],
 "total":2,"total_exact":true,"limit":2,"offset":0,
 "facets":{"brand":{"values":[{"value":"Asics","count":1},{"value":"Nike","count":1}],"other":0,"missing":0,"exact":true},
  "price":{"ranges":[{"from":null,"to":50,"count":2},{"from":50,"to":100,"count":0},{"from":100,"to":null,"count":0}],
   "stats":{"min":39.9,"max":49.9,"avg":44.9,"sum":89.8,"count":2},"exact":true}}}`},
	{"several searches", `POST /v1/multi-search

{"searches":[{"q":"red","index":"products"},{"q":"hat","limit":0}]}`, `200

{"results":[{"total":3,"hits":[{"id":"~"},{"id":"~"},{"id":"~"}]},{"hits":[],"limit":0}],"version":"~number","took_ms":"~number"}`},
	{"the first page", `POST /v1/search

{"index":["products","news"],"sort":"price:desc","limit":1,"return":["price"]}`, `200

{"hits":[{"id":"sku-8","record":{"price":49.9}}],"total":4,"next_cursor":"~=cursor ([A-Za-z0-9_-]+)"}`},
	{"the second page", `POST /v1/search

{"index":["products","news"],"sort":"price:desc","limit":2,"return":[],"cursor":"{{cursor}}"}`, `200

{"hits":[{"id":"sku-42"},{"id":"sku-43"}]}`},
	{"a cursor of another search", `POST /v1/search

{"index":"products","sort":"price:desc","limit":2,"cursor":"{{cursor}}"}`, `422

{` + problemTop + `"status":422,"code":"invalid_cursor","errors":[{"pointer":"/cursor","code":"invalid_cursor"}]}`},
	{"a changed cursor", `POST /v1/search

{"index":["products","news"],"sort":"price:desc","limit":2,"cursor":"{{cursor}}A"}`, `422

{"code":"invalid_cursor"}`},
	{"totals alone", `POST /v1/search

{"limit":0,"index":"t*"}`, `200

{"hits":[],"total":4,"limit":0}`},
	{"filters", `POST /v1/search

{"index":"products","filter":["price 10..40","NOT (brand != 'Nike') and exists in_stock","title starts with \"red h\" or price > 39"],"sort":"price"}`, `422

{` + problemTop + `"status":422,"code":"not_filterable","errors":[{"pointer":"/filter/2","code":"not_filterable","column":1}]}`},
	{"filters that fit", `POST /v1/search

{"index":"products","filter":["price 10..40","NOT (brand != 'Nike') and exists in_stock"],"sort":"price"}`, `200

{"hits":[{"id":"sku-43"},{"id":"sku-42"}],"total":2}`},
	{"plain BM25", `POST /v1/search

{"q":"red shoes","ranking":"bm25","match":"any","index":"products"}`, `200

{"hits":[{"id":"~"},{"id":"~"},{"id":"~"}],"total":3}`},
	{"no GET", `GET /v1/search?q=x`, `405
Allow: POST

{` + problemTop + `"status":405,"code":"method_not_allowed"}`},
}

var contractOfRecords = []step{
	{"a record", `GET /v1/record/sku-42`, `200

{"id":"sku-42","index":"products","version":"~number","record":{"id":"sku-42","title":"Red running shoes","price":39.9,"brand":"Nike","in_stock":true,"on_sale":true}}`},
	{"deleted", `DELETE /v1/record/sku-8`, `204
Content-Type:
`},
	{"deleted again", `DELETE /v1/record/sku-8`, `404

{` + problemTop + `"status":404,"code":"record_not_found"}`},
	{"an id with everything", `PUT /v1/record/a%2Fb%20%C3%A9?index=news

{"title":"odd id"}`, `201

{"id":"a/b é","index":"news"}`},
	{"the same id elsewhere", `PUT /v1/record/a%2Fb%20%C3%A9?index=towns

{"name":"Odd"}`, `201

{"id":"a/b é","index":"towns"}`},
	{"an ambiguous id", `DELETE /v1/record/a%2Fb%20%C3%A9`, `409

{` + problemTop + `"status":409,"code":"ambiguous_record_id","indexes":["news","towns"]}`},
	{"made exact", `DELETE /v1/record/a%2Fb%20%C3%A9?index=news`, `204
`},
	{"patched", `PATCH /v1/record/a%2Fb%20%C3%A9

{"people":5}`, `200

{"id":"a/b é","index":"towns","version":"~number"}`},
	{"exported", `GET /v1/records?index=towns&limit=1`, `200
Content-Type: application/x-ndjson
Next-Cursor: .+

{"id":1,"name":"Bern","people":134794}`},
	{"swapped", `POST /v1/indexes/swap

{"a":"news","b":"towns"}`, `200

{"swapped":["news","towns"],"version":"~number"}`},
	{"swapped back", `POST /v1/indexes/swap

{"a":"towns","b":"news"}`, `200

{"swapped":["towns","news"]}`},
	{"changed", `PATCH /v1/indexes/towns

{"visible":false}`, `200

{"name":"towns","visible":false,"state":"ready"}`},
	{"not visible", `POST /v1/search

{"q":"Bern"}`, `200

{"hits":[],"total":0}`},
	{"pages of indexes", `GET /v1/indexes?limit=2`, `200

{"indexes":[{"name":"news"},{"name":"products"}],"total":3,"next_cursor":"~=indexes ([A-Za-z0-9_-]+)"}`},
	{"the last page of indexes", `GET /v1/indexes?limit=2&cursor={{indexes}}`, `200

{"indexes":[{"name":"towns"}],"total":3,"next_cursor":null}`},
	{"gone", `DELETE /v1/indexes/towns`, `204
`},
}

var contractOfErrors = []step{
	{"all mistakes at once", `POST /v1/search

{"limt":2,"filter":"price ="}`, `422
Content-Type: application/problem\+json
Request-Id: ` + requestID + `

{` + problemTop + `"status":422,"code":"invalid_request","detail":"2 problems in the request","errors":[
 {"pointer":"/limt","code":"unknown_field","detail":"unknown field \"limt\"; did you mean \"limit\"?"},
 {"pointer":"/filter","code":"invalid_filter","detail":"~","column":8}]}`},
	{"no key", `GET /v1/indexes
Authorization: -`, `401
WWW-Authenticate: Bearer error="invalid_token"

{` + problemTop + `"status":401,"code":"missing_api_key"}`},
	{"no key of ours", `GET /v1/indexes
Authorization: Bearer qk_x`, `401
WWW-Authenticate: Bearer error="invalid_token"

{` + problemTop + `"status":401,"code":"invalid_api_key"}`},
	{"a key in the URL", `GET /v1/indexes?api_key=x
Authorization: -`, `401

{"code":"missing_api_key"}`},
	{"nowhere", `GET /v1/nothing`, `404

{` + problemTop + `"status":404,"code":"route_not_found"}`},
	{"a type that is not accepted", `POST /v1/search
Accept: text/html

{}`, `406

{` + problemTop + `"status":406,"code":"not_acceptable"}`},
	{"a type that is not known", `POST /v1/search
Content-Type: text/xml

{}`, `415

{` + problemTop + `"status":415,"code":"unsupported_media_type"}`},
	{"a name twice", `POST /v1/search

{"q":"a","q":"b"}`, `400

{` + problemTop + `"status":400,"code":"malformed_json"}`},
	{"null for a body", `POST /v1/search

null`, `422

{"code":"invalid_request"}`},
	{"a list for a body", `POST /v1/search

[]`, `422

{"code":"invalid_request"}`},
	{"too deep a page", `POST /v1/search

{"offset":9990,"limit":20}`, `422

{` + problemTop + `"status":422,"code":"limit_exceeded","errors":[{"pointer":"/offset"}]}`},
	{"limits", `GET /v1/limits`, `200

{"query_bytes":4096,"query_terms":64,"body_bytes":33554432,"batch_operations":100000,"record_bytes":1048576,"stream_bytes":2147483648,"hits":1000,"window":10000,
 "filter_operators":1000,"filter_depth":64,"facets":32,"facet_values":1000,"index_fields":1000,"indexes":1000,"search_timeout_ms":2000,"write_timeout_ms":60000,
 "graphql_bytes":16384,"graphql_depth":12,"graphql_cost":1000}`},
	{"the description", `GET /v1/openapi.json`, `200

{"openapi":"3.1.0"}`},
	{"alive", `GET /healthz
Authorization: -`, `200

{"status":"ok"}`},
	{"ready", `GET /readyz
Authorization: -`, `200

{"status":"ready"}`},
}

var contractOfGraphQL = []step{
	{"a search", `POST /v1/graphql

{"query":"query ($q: String) { search(q: $q, index: \"products\", limit: 1, facets: [{field: \"brand\"}]) { hits { id index score record(fields: [\"price\"]) } total totalExact facets { field values { value count } } nextCursor tookMs version query { text } } }",
 "variables":{"q":"red"}}`, `200
Content-Type: application/json

{"data":{"search":{"hits":[{"id":"~","index":"products","score":"~number","record":{"price":"~number"}}],"total":2,"totalExact":true,
 "facets":[{"field":"brand","values":[{"value":"Nike","count":2}]}],"nextCursor":"~","tookMs":"~number","version":"~","query":{"text":"red"}}}}`},
	{"reads", `POST /v1/graphql

{"query":"{ indexes { nodes { name } total } index(name: \"products\") { records } record(id: \"sku-42\") { record } batch(id: \"{{batch}}\") { state } }"}`, `200

{"data":{"indexes":{"nodes":[{"name":"news"},{"name":"products"}],"total":2},"index":{"records":2},"record":{"record":{"id":"sku-42"}},"batch":{"state":"applied"}}}`},
	{"mutations", `POST /v1/graphql

{"query":"mutation ($b: BatchInput!) { putIndex(name: \"tmp\", schema: {fields: [{name: \"n\", type: \"int\"}]}) { name } batch(input: $b, idempotencyKey: \"k\") { ids counts { put } } deleteRecord(id: \"t\", index: \"tmp\") swapIndexes(a: \"tmp\", b: \"news\") deleteIndex(name: \"tmp\") }",
 "variables":{"b":{"index":"tmp","records":[{"id":"t","n":9007199254740993}]}}}`, `200

{"data":{"putIndex":{"name":"tmp"},"batch":{"ids":["t"],"counts":{"put":1}},"deleteRecord":true,"swapIndexes":true,"deleteIndex":true}}`},
	{"an error of a field", `POST /v1/graphql

{"query":"{ record(id: \"nobody\") { id } search(limit: 0) { total } }"}`, `200

{"data":{"record":null,"search":{"total":"~number"}},"errors":[{"message":"~","path":["record"],"extensions":{"code":"record_not_found","status":404}}]}`},
	{"a list of requests", `POST /v1/graphql

[{"query":"{ search { total } }"}]`, `400

{"status":400,"code":"invalid_graphql","errors":[{"message":"~","extensions":{"code":"invalid_graphql","status":400,"pointer":""}}]}`},
	{"too much at once", `POST /v1/graphql

{"query":"{ a: search(limit: 600) { total } b: search(limit: 600) { total } }"}`, `400

{"status":400,"code":"graphql_limit_exceeded","errors":[{"message":"~","extensions":{"code":"graphql_limit_exceeded","status":400,"pointer":"/query"}}]}`},
}

var contractOfKeys = []step{
	{"a key", `POST /v1/keys

{"name":"web shop","scopes":["search"],"indexes":["products","news_*"],"filter":"price > 7","expires_at":"2999-01-01T00:00:00Z","rate":{"per_second":50,"burst":100},"quota":{"searches_per_month":1000000}}`, `201

{"id":"~=keyid (key_.+)","key":"~=key (qk_[0-9A-Za-z]+_[0-9A-Za-z]{43}_[0-9A-Za-z]+)","hint":"~","name":"web shop","scopes":["search"],"indexes":["products","news_*"],
 "rate":{"per_second":50,"burst":100},"quota":{"searches_per_month":1000000},"state":"active"}`},
	{"what it may", `POST /v1/search
Authorization: Bearer {{key}}

{"index":"products"}`, `200
RateLimit-Policy: "key";q=50;w=1
RateLimit: "key";r=[0-9]+;t=[0-9]+

{"total":2}`},
	{"an index of others", `POST /v1/search
Authorization: Bearer {{key}}

{"index":"news"}`, `403

{` + problemTop + `"status":403,"code":"forbidden_index"}`},
	{"a scope that it lacks", `GET /v1/indexes
Authorization: Bearer {{key}}`, `403

{` + problemTop + `"status":403,"code":"forbidden_scope"}`},
	{"shown without its secret", `GET /v1/keys/{{keyid}}`, `200

{"id":"{{keyid}}","hint":"~","state":"active"}`},
	{"revoked", `DELETE /v1/keys/{{keyid}}`, `204
`},
	{"of no use", `POST /v1/search
Authorization: Bearer {{key}}

{}`, `401
WWW-Authenticate: Bearer error="invalid_token"

{` + problemTop + `"status":401,"code":"invalid_api_key"}`},
}

var contractOfUsage = []step{
	{"usage", `GET /v1/usage?group=key,day`, `200

{"rows":[{"day":"~=day ([0-9]{4}-[0-9]{2}-[0-9]{2})","key":"~","searches":"~number","writes":"~number","records_max":"~number","bytes_max":"~number"},"~more"]}`},
}

var contractOfMore = []step{
	{"places", `POST /v1/batch

{"index":"places","records":[{"id":"x"}]}`, `201

{"state":"applied","indexes_created":["places"]}`},
	{"places have to be named in the schema", `PATCH /v1/indexes/places

{"fields":[{"name":"at","type":"geo","filter":true,"sort":true},{"name":"kind","type":"keyword","filter":true,"facet":true},{"name":"name","type":"text"}],
 "synonyms":[{"words":["bistro","eatery"]}],"presets":{"near":{"sort":"geo(at,52.52,13.405):asc","limit":2}}}`, `200

{"name":"places","synonyms":[{"words":["bistro","eatery"]}]}`},
	{"records with places", `POST /v1/batch

{"index":"places","records":[
 {"id":"berlin","at":{"lat":52.52,"lon":13.405},"kind":"capital","name":"Berlin bistro"},
 {"id":"potsdam","at":"52.3906,13.0645","kind":"town","name":"Potsdam eatery"},
 {"id":"suva","at":{"lat":-18.1416,"lon":178.4419},"kind":"capital","name":"Suva harbour"}]}`, `201

{"state":"applied"}`},
	{"an array is no place", `PUT /v1/record/oslo?index=places

{"at":[59.91,10.75]}`, `422

{` + problemTop + `"status":422}`},
	{"by distance, with a filter and a preset", `POST /v1/search

{"index":"places","preset":"near","filter":"geo(at, 52.5, 13.4, \"50km\")"}`, `200

{"hits":[{"id":"berlin","geo":{"at":{"distance_m":"~number"}}},{"id":"potsdam","geo":{"at":{"distance_m":"~number"}}}],"total":2,"limit":2}`},
	{"a synonym, and a word that is misspelt", `POST /v1/search

{"index":"places","q":"bistor potsdam","match":"all"}`, `200

{"hits":[{"id":"potsdam"}],"total":1,"query":{"text":"bistro potsdam","corrections":[{"from":"bistor","to":"bistro"}]}}`},
	{"one hit for each kind", `POST /v1/search

{"index":"places","filter":"EXISTS kind","distinct":"kind","sort":"geo(at,52.5,13.4)","facets":"kind"}`, `200

{"hits":[{"id":"berlin"},{"id":"potsdam"}],"total":2,"facets":{"kind":{"values":[{"value":"capital","count":2},{"value":"town","count":1}]}}}`},
	{"what is being typed", `POST /v1/suggest

{"index":"places","q":"po"}`, `200

{"suggestions":[{"text":"potsdam","count":1},"~more"],"version":"~number","took_ms":"~number"}`},
	{"several searches of one state", `POST /v1/multi-search

{"searches":[{"index":"places","q":"suva"},{"index":"places","filter":"kind = \"town\"","limit":0}]}`, `200

{"results":[{"hits":[{"id":"suva"}],"total":1},{"hits":[],"total":1}],"version":"~number","took_ms":"~number"}`},
	{"a webhook", `POST /v1/webhooks

{"url":"https://shop.example/hook","events":["index.deleted"],"indexes":["nothing-of-this-name"]}`, `201

{"id":"~=webhook (whk_.+)","state":"active","secret":"~=secret (whsec_.{44})"}`},
}
