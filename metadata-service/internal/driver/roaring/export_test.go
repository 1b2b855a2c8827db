package roaring

// MergeBroken begins a merge of a segment that is not there.
func (x *Index) MergeBroken() { x.mergeAside(x.live.Load(), &job{views: []view{{}}}) }
