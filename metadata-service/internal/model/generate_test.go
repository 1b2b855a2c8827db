package model_test

import (
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/modeltest"
)

const variants = modeltest.Variants

func minimal(r *model.Registry, a *model.AspectSpec) model.Object { return modeltest.Minimal(r, a) }

func maximal(r *model.Registry, a *model.AspectSpec, variant int) model.Object {
	return modeltest.Maximal(r, a, variant)
}
