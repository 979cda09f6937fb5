package kw

import "gopherlo/jaxlike/dtype"

// arrays are the options of functions that index, sort, draw and rearrange.
// Pointers and values of type any are nil where nothing is given.
type arrays struct {
	Mode              string
	FillValue         any
	IndicesAreSorted  bool
	UniqueIndices     bool
	NoWrap            bool
	DDof              float64
	Correction        *float64
	Stable            *bool
	Descending        bool
	M                 *int
	K                 int
	Offset            int
	Axis1             int
	Axis2             *int
	Indexing          string
	Sparse            bool
	Axes              any
	Ord               any
	B                 any
	Approximate       *bool
	NegativeSlope     any
	Alpha             any
	Epsilon           any
	ConstantValues    any
	TotalRepeatLength *int
	Tiled             bool
	ScatterDimension  int
	N                 *int
	Size              *int
	Side              string
	Weights           any
	Method            string
	Impl              string
	MinVal            any
	MaxVal            any
	P                 any
	Replace           *bool
	Independent       bool
	Dimension         *int
	IsStable          *bool
	NumKeys           *int
	IndexDType        dtype.DType
	NaN               any
	PosInf            any
	NegInf            any
}

// The types of these options.
type (
	// ModeOption is made by Mode.
	ModeOption string
	// FillValueOption is made by FillValue.
	FillValueOption struct{ v any }
	// IndicesAreSortedOption is made by IndicesAreSorted.
	IndicesAreSortedOption bool
	// UniqueIndicesOption is made by UniqueIndices.
	UniqueIndicesOption bool
	// WrapNegativeIndicesOption is made by WrapNegativeIndices.
	WrapNegativeIndicesOption bool
	// DDofOption is made by DDof.
	DDofOption float64
	// CorrectionOption is made by Correction.
	CorrectionOption float64
	// StableOption is made by Stable.
	StableOption bool
	// DescendingOption is made by Descending.
	DescendingOption bool
	// MOption is made by M.
	MOption int
	// KOption is made by K.
	KOption int
	// OffsetOption is made by Offset.
	OffsetOption int
	// Axis1Option is made by Axis1.
	Axis1Option int
	// Axis2Option is made by Axis2.
	Axis2Option int
	// IndexingOption is made by Indexing.
	IndexingOption string
	// SparseOption is made by Sparse.
	SparseOption bool
	// AxesOption is made by Axes.
	AxesOption struct{ v any }
	// OrdOption is made by Ord.
	OrdOption struct{ v any }
	// BOption is made by B.
	BOption struct{ v any }
	// ApproximateOption is made by Approximate.
	ApproximateOption bool
	// NegativeSlopeOption is made by NegativeSlope.
	NegativeSlopeOption struct{ v any }
	// AlphaOption is made by Alpha.
	AlphaOption struct{ v any }
	// EpsilonOption is made by Epsilon.
	EpsilonOption struct{ v any }
	// ConstantValuesOption is made by ConstantValues.
	ConstantValuesOption struct{ v any }
	// TotalRepeatLengthOption is made by TotalRepeatLength.
	TotalRepeatLengthOption int
	// TiledOption is made by Tiled.
	TiledOption bool
	// ScatterDimensionOption is made by ScatterDimension.
	ScatterDimensionOption int
	// NOption is made by N.
	NOption int
	// SizeOption is made by Size.
	SizeOption int
	// SideOption is made by Side.
	SideOption string
	// WeightsOption is made by Weights.
	WeightsOption struct{ v any }
	// MethodOption is made by Method.
	MethodOption string
	// ImplOption is made by Impl.
	ImplOption string
	// MinValOption is made by MinVal.
	MinValOption struct{ v any }
	// MaxValOption is made by MaxVal.
	MaxValOption struct{ v any }
	// POption is made by P.
	POption struct{ v any }
	// ReplaceOption is made by Replace.
	ReplaceOption bool
	// IndependentOption is made by Independent.
	IndependentOption bool
	// DimensionOption is made by Dimension.
	DimensionOption int
	// IsStableOption is made by IsStable.
	IsStableOption bool
	// NumKeysOption is made by NumKeys.
	NumKeysOption int
	// IndexDTypeOption is made by IndexDType.
	IndexDTypeOption dtype.DType
	// NaNOption is made by NaN.
	NaNOption struct{ v any }
	// PosInfOption is made by PosInf.
	PosInfOption struct{ v any }
	// NegInfOption is made by NegInf.
	NegInfOption struct{ v any }
)

func (o ModeOption) set(s *Set)                { s.Mode = string(o) }
func (o FillValueOption) set(s *Set)           { s.FillValue = o.v }
func (o IndicesAreSortedOption) set(s *Set)    { s.IndicesAreSorted = bool(o) }
func (o UniqueIndicesOption) set(s *Set)       { s.UniqueIndices = bool(o) }
func (o WrapNegativeIndicesOption) set(s *Set) { s.NoWrap = !bool(o) }
func (o DDofOption) set(s *Set)                { s.DDof = float64(o) }
func (o CorrectionOption) set(s *Set)          { n := float64(o); s.Correction = &n }
func (o StableOption) set(s *Set)              { b := bool(o); s.Stable = &b }
func (o DescendingOption) set(s *Set)          { s.Descending = bool(o) }
func (o MOption) set(s *Set)                   { n := int(o); s.M = &n }
func (o KOption) set(s *Set)                   { s.K = int(o) }
func (o OffsetOption) set(s *Set)              { s.Offset = int(o) }
func (o Axis1Option) set(s *Set)               { s.Axis1 = int(o) }
func (o Axis2Option) set(s *Set)               { n := int(o); s.Axis2 = &n }
func (o IndexingOption) set(s *Set)            { s.Indexing = string(o) }
func (o SparseOption) set(s *Set)              { s.Sparse = bool(o) }
func (o AxesOption) set(s *Set)                { s.Axes = o.v }
func (o OrdOption) set(s *Set)                 { s.Ord = o.v }
func (o BOption) set(s *Set)                   { s.B = o.v }
func (o ApproximateOption) set(s *Set)         { b := bool(o); s.Approximate = &b }
func (o NegativeSlopeOption) set(s *Set)       { s.NegativeSlope = o.v }
func (o AlphaOption) set(s *Set)               { s.Alpha = o.v }
func (o EpsilonOption) set(s *Set)             { s.Epsilon = o.v }
func (o ConstantValuesOption) set(s *Set)      { s.ConstantValues = o.v }
func (o TotalRepeatLengthOption) set(s *Set)   { n := int(o); s.TotalRepeatLength = &n }
func (o TiledOption) set(s *Set)               { s.Tiled = bool(o) }
func (o ScatterDimensionOption) set(s *Set)    { s.ScatterDimension = int(o) }
func (o NOption) set(s *Set)                   { n := int(o); s.N = &n }
func (o SizeOption) set(s *Set)                { n := int(o); s.Size = &n }
func (o SideOption) set(s *Set)                { s.Side = string(o) }
func (o WeightsOption) set(s *Set)             { s.Weights = o.v }
func (o MethodOption) set(s *Set)              { s.Method = string(o) }
func (o ImplOption) set(s *Set)                { s.Impl = string(o) }
func (o MinValOption) set(s *Set)              { s.MinVal = o.v }
func (o MaxValOption) set(s *Set)              { s.MaxVal = o.v }
func (o POption) set(s *Set)                   { s.P = o.v }
func (o ReplaceOption) set(s *Set)             { b := bool(o); s.Replace = &b }
func (o IndependentOption) set(s *Set)         { s.Independent = bool(o) }
func (o DimensionOption) set(s *Set)           { n := int(o); s.Dimension = &n }
func (o IsStableOption) set(s *Set)            { b := bool(o); s.IsStable = &b }
func (o NumKeysOption) set(s *Set)             { n := int(o); s.NumKeys = &n }
func (o IndexDTypeOption) set(s *Set)          { s.IndexDType = dtype.DType(o) }
func (o NaNOption) set(s *Set)                 { s.NaN = o.v }
func (o PosInfOption) set(s *Set)              { s.PosInf = o.v }
func (o NegInfOption) set(s *Set)              { s.NegInf = o.v }

// Mode says what happens with indices out of bounds ("clip", "fill", "drop", "promise_in_bounds", "wrap"), or how pad makes new elements.
func Mode(s string) ModeOption { return ModeOption(s) }

// FillValue gives what stands for elements that do not exist.
func FillValue(v any) FillValueOption { return FillValueOption{v} }

// IndicesAreSorted promises that indices come in ascending order.
func IndicesAreSorted(on bool) IndicesAreSortedOption { return IndicesAreSortedOption(on) }

// UniqueIndices promises that no index comes twice.
func UniqueIndices(on bool) UniqueIndicesOption { return UniqueIndicesOption(on) }

// WrapNegativeIndices tells whether negative indices count from the end.
func WrapNegativeIndices(on bool) WrapNegativeIndicesOption { return WrapNegativeIndicesOption(on) }

// DDof is subtracted from the number of elements in the divisor of a variance.
func DDof(n float64) DDofOption { return DDofOption(n) }

// Correction is another name of DDof.
func Correction(n float64) CorrectionOption { return CorrectionOption(n) }

// Stable keeps the order of equal elements.
func Stable(on bool) StableOption { return StableOption(on) }

// Descending puts the largest element first.
func Descending(on bool) DescendingOption { return DescendingOption(on) }

// M gives the number of columns.
func M(n int) MOption { return MOption(n) }

// K gives a diagonal: 0 is the main one, positive ones are above it.
func K(n int) KOption { return KOption(n) }

// Offset gives a diagonal: 0 is the main one, positive ones are above it.
func Offset(n int) OffsetOption { return OffsetOption(n) }

// Axis1 gives the first of two dimensions.
func Axis1(n int) Axis1Option { return Axis1Option(n) }

// Axis2 gives the second of two dimensions.
func Axis2(n int) Axis2Option { return Axis2Option(n) }

// Indexing is "xy" or "ij".
func Indexing(s string) IndexingOption { return IndexingOption(s) }

// Sparse keeps dimensions of size 1.
func Sparse(on bool) SparseOption { return SparseOption(on) }

// Axes gives the dimensions to sum over: a number or two lists.
func Axes(v any) AxesOption { return AxesOption{v} }

// Ord gives the kind of norm: a number or a name such as "fro".
func Ord(v any) OrdOption { return OrdOption{v} }

// B gives weights of the terms.
func B(v any) BOption { return BOption{v} }

// Approximate chooses a cheaper formula.
func Approximate(on bool) ApproximateOption { return ApproximateOption(on) }

// NegativeSlope gives the slope left of zero.
func NegativeSlope(v any) NegativeSlopeOption { return NegativeSlopeOption{v} }

// Alpha gives the size of the negative part.
func Alpha(v any) AlphaOption { return AlphaOption{v} }

// Epsilon is added to a variance.
func Epsilon(v any) EpsilonOption { return EpsilonOption{v} }

// ConstantValues gives what pad fills with.
func ConstantValues(v any) ConstantValuesOption { return ConstantValuesOption{v} }

// TotalRepeatLength gives the size of the result.
func TotalRepeatLength(n int) TotalRepeatLengthOption { return TotalRepeatLengthOption(n) }

// Tiled makes collectives join and split existing dimensions in place of new ones.
func Tiled(on bool) TiledOption { return TiledOption(on) }

// ScatterDimension gives the dimension that psum_scatter spreads.
func ScatterDimension(dim int) ScatterDimensionOption { return ScatterDimensionOption(dim) }

// N gives how often to do it.
func N(n int) NOption { return NOption(n) }

// Size gives the number of results, which must be known under jit.
func Size(n int) SizeOption { return SizeOption(n) }

// Side is "left" or "right".
func Side(s string) SideOption { return SideOption(s) }

// Weights gives weights of the elements.
func Weights(v any) WeightsOption { return WeightsOption{v} }

// Method names a way to interpolate.
func Method(s string) MethodOption { return MethodOption(s) }

// Impl names a random number generator.
func Impl(s string) ImplOption { return ImplOption(s) }

// MinVal gives the lower end of a range.
func MinVal(v any) MinValOption { return MinValOption{v} }

// MaxVal gives the upper end of a range.
func MaxVal(v any) MaxValOption { return MaxValOption{v} }

// P gives probabilities.
func P(v any) POption { return POption{v} }

// Replace tells whether an element may be chosen again.
func Replace(on bool) ReplaceOption { return ReplaceOption(on) }

// Independent shuffles each row by itself.
func Independent(on bool) IndependentOption { return IndependentOption(on) }

// Dimension gives the dimension to work along.
func Dimension(n int) DimensionOption { return DimensionOption(n) }

// IsStable keeps the order of equal elements.
func IsStable(on bool) IsStableOption { return IsStableOption(on) }

// NumKeys gives the number of operands to sort by.
func NumKeys(n int) NumKeysOption { return NumKeysOption(n) }

// IndexDType gives the type of the indices.
func IndexDType(d dtype.DType) IndexDTypeOption { return IndexDTypeOption(d) }

// NaN gives what stands for NaN.
func NaN(v any) NaNOption { return NaNOption{v} }

// PosInf gives what stands for infinity.
func PosInf(v any) PosInfOption { return PosInfOption{v} }

// NegInf gives what stands for minus infinity.
func NegInf(v any) NegInfOption { return NegInfOption{v} }
