package page
import ("testing";"time";"fmt";"math/rand/v2")
func TestZZ(t *testing.T){
 c:=fullPage(t)
 best:=func(name string,f func()){ m:=time.Hour; for range 400{s:=time.Now();f();if d:=time.Since(s);d<m{m=d}}; fmt.Println(name,m)}
 var words,out [Size/64]uint64
 rng:=rand.New(rand.NewPCG(2,2)); for i:=range words{words[i]=rng.Uint64()}
 for _,x:=range []struct{n string;f uint16;v Value}{{"Price", benchPrice, FloatValue(500)},{"SparseStock", benchStock, IntValue(50)},{"Brand", benchBrand, KeywordValue([]byte("brand-030"))},{"Tags", benchTags, KeywordValue([]byte("tag-10"))},{"Updated", benchUpdated, DateValue(1.75e15)},{"RandomFloats", benchRandom, FloatValue(0)}}{
  col:=column(t,c,x.f); best("range "+x.n,func(){col.Range(Bound{},At(x.v),&out,0)})
 }
 for _,f:=range []uint16{benchBrand,benchTags}{col:=column(t,c,f);counts:=make([]int,col.Dict().Len());best(fmt.Sprint("count ",f),func(){col.CountOrds(&words,0,counts)})}
 for _,f:=range []uint16{benchPrice,benchStock}{col:=column(t,c,f);best(fmt.Sprint("stats ",f),func(){col.Stats(&words,0)})}
 col:=column(t,c,benchTags); set:=NewOrdSet(col.Dict().Len()); set.Add(3);set.Add(30)
 buf:=make([]uint64,(col.vals.n+63)/64)
 best("match",func(){col.vals.match(3,10,buf)})
 best("spread",func(){col.spread(buf,&out,0)})
 best("select",func(){col.selectValues(&words,0)})
 sel,_:=col.selectValues(&words,0)
 nn:=uint64(0)
 best("gather",func(){col.vals.eachSelected(sel,func(v []uint64){nn+=v[0]})})
 best("ordsin",func(){col.OrdsIn(set,&out,0)})
 best("unpack",func(){var b [packBlock]uint64; for i:=range column(t,c,benchPrice).vals.blocks{column(t,c,benchPrice).vals.unpack(i,&b)}})
 best("id x1000",func(){for i:=range 1000{c.ID(i*7919%Size)}})
 best("first x1000",func(){col:=column(t,c,benchPrice);for i:=range 1000{col.FirstFloat(i*7919%Size)}})
 parts:=encodeChunk(t,c)
 n:=0; for p,d:=range parts{fmt.Println(p,len(d));n+=len(d)}; fmt.Println(n)
 merge:=time.Hour; load:=time.Hour
 for range 8{s:=time.Now();Merge([]*Chunk{c});merge=min(merge,time.Since(s)); s=time.Now();d,_:=Open(0,parts);touch(d);load=min(load,time.Since(s))}
 fmt.Println("merge",merge,"load",load)
}
