//go:build js && wasm

package main

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/wasm/browser"
)

// method answers one kind of request with a JSON text.
type method func(ctx context.Context, r request) (string, error)

// methods is the page API, a row each.
func methods() map[string]method {
	return map[string]method{
		"open":  open,
		"close": closeEngine,

		"tools.install":       installTool,
		"tools.lookup":        lookupTool,
		"tools.list":          listTools,
		"tools.history":       toolHistory,
		"tools.revisions":     toolRevisions,
		"tools.activate":      activateTool,
		"tools.remove":        removeTool,
		"tools.erase":         eraseTool,
		"tools.eraseUnpinned": eraseUnpinned,
		"tools.manifest":      toolManifest,
		"tools.manifests":     toolManifests,
		"tools.diff":          diffTools,
		"tools.block":         blockTool,
		"tools.unblock":       unblockTool,
		"tools.blocks":        listBlocks,
		"tools.signatures":    toolSignatures,
		"tools.draft":         draftOfCall,

		"natives.register": registerNative,
		"natives.tell":     tellNative,
		"natives.settle":   settleNative,
		"natives.popup":    openPopup,
		"natives.window":   tellWindow,

		"settings.set":     setSettings,
		"settings.get":     currentSettings,
		"settings.lookup":  lookupSettings,
		"settings.history": settingsHistory,
		"settings.remove":  removeSettings,

		"permissions.listen": listenPermissions,
		"permissions.answer": answerPermission,
		"tools.forecast":     forecastTool,
		"grants.list":        listGrants,
		"grants.revoke":      revokeGrant,
		"grants.plan":        planGrants,
		"grants.accept":      acceptGrants,
		"audit.query":        queryAudit,
		"secrets.set":        setSecret,
		"secrets.forget":     forgetSecret,
		"secrets.list":       listSecrets,
		"storage.list":       listStorage,
		"storage.read":       readStorage,
		"storage.clear":      clearStorage,
		"storage.carry":      carryStorage,

		"tasks.compile":  compileTask,
		"tasks.run":      runTask,
		"tasks.get":      getTask,
		"tasks.lineage":  taskLineage,
		"tasks.children": taskChildren,
		"tasks.records":  taskRecords,
		"tasks.messages": taskMessages,
		"tasks.answer":   answerCall,
		"tasks.copyChat": copyChat,
		"tasks.put":      putTasks,
		"tasks.erase":    eraseTask,

		"clear":        clearAll,
		"import":       importArchive,
		"tools.export": exportTool,
		"tasks.export": exportChat,

		"sandboxes.list":      listSandboxes,
		"sandboxes.warm":      countWarm,
		"sandboxes.terminate": terminateSandbox,
		"sandboxes.clear":     clearSandboxes,

		"diagnostics.environment": environment,
	}
}

func open(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		Store  string         `json:"store,omitempty"`
		Limits map[string]any `json:"limits,omitempty"`
		Page   string         `json:"page,omitempty"`
		Proxy  *string        `json:"proxyURL,omitempty"`
		Token  string         `json:"proxyToken,omitempty"`
	}](r.text)
	if err != nil {
		return "", err
	}
	l, err := limits.With(in.Limits)
	if err != nil {
		return "", err
	}
	stores, err := browser.OpenStores(ctx, in.Store)
	if err != nil {
		return "", err
	}
	o := browser.Options{Mark: r.api.mark, Stores: stores, Limits: &l, Page: in.Page, Fetch: r.api.fetch, Decider: r.api.permissions}
	if in.Proxy != nil { // an empty address is no wish to go without
		o.Proxy = &browser.Proxy{URL: *in.Proxy, Token: in.Token}
	}
	made, err := browser.Open(o)
	if err != nil {
		stores.Close()
		return "", err
	}
	r.api.mu.Lock()
	defer r.api.mu.Unlock()
	if r.api.engine != nil {
		made.Close()
		stores.Close()
		return "", fault.New(fault.Conflict, "open: the engine is open already")
	}
	r.api.engine, r.api.stores, r.api.opened = made.Engine, stores, made
	return encode(opened{stores.Kind, bounds{l.Nesting, l.ResultBytes}})
}

// opened is what the loader learns of its engine.
type opened struct {
	Store  string `json:"store"`
	Bounds bounds `json:"bounds"`
}

// bounds are what the result of a native function must keep to: the loader is the one that writes it down.
type bounds struct {
	Nesting int `json:"nesting"`
	Bytes   int `json:"bytes"`
}

func closeEngine(_ context.Context, r request) (string, error) {
	r.api.close()
	return "null", nil
}

// named is a request that names one thing.
type named struct {
	Name string `json:"name"`
}

func byTask(r request) (canon.TaskID, error) {
	in, err := decode[struct {
		Task canon.TaskID `json:"task"`
	}](r.text)
	return in.Task, err
}

func byTool(r request) (canon.ToolID, error) {
	in, err := decode[struct {
		Revision canon.ToolID `json:"revision"`
	}](r.text)
	return in.Revision, err
}
