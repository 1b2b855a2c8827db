package roaring

// MergeBroken begins a merge of a segment that is not there.
func (x *Index) MergeBroken() {
	x.mergeInBackground(x.state.Load(), &mergeJob{views: []segmentView{{}}})
}

// AwaitMerges returns when no merge runs.
func (x *Index) AwaitMerges() { x.merges.Wait() }
