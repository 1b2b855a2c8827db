package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
)

// A catalog without the upgrade mark was written by an earlier version.
func TestStoredValuesAreUpgradedAtTheStart(t *testing.T) {
	t.Parallel()
	const (
		orders = "urn:li:dataset:(urn:li:dataPlatform:hive,Sales.Orders,PROD)"
		mark   = "urn:li:dataHubUpgrade:dataset-alias-lower-name"
	)
	s := apptest.New(t)
	old := strings.ToLower(orders)
	s.JSON(http.MethodPost, "/aspects?action=ingestProposal", `{"proposal":{"entityType":"dataset","entityUrn":"`+orders+`","changeType":"UPSERT","aspectName":"aliases",
		"aspect":{"contentType":"application/json","value":"{\"lowercasedUrn\":\"`+old+`\"}"}}}`, nil)
	s.JSON(http.MethodPost, "/entities?action=delete", `{"urn":"`+mark+`"}`, nil)
	s.Stop()
	s = apptest.Start(t, s.DataDir)
	_, found := s.Call(http.MethodPost, "/entities?action=search", `{"entity":"dataset","input":"*","start":0,"count":5,
		"filter":{"or":[{"and":[{"field":"lowercasedUrn","values":["urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)"]}]}]}}`)
	if !strings.Contains(found, `"numEntities":1`) {
		t.Errorf("the mended alias is not found: %s", found)
	}
}
