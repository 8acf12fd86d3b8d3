package policy

// The names that a tool may not reach, as data: in lower-case A-labels, without a trailing dot.

type nameRow struct {
	below      bool // all below the name, not the name itself; it is a single word, and has that reason
	resolvable bool // whoever judges the address that it dials may reach it
	what       string
}

const (
	thisMachine = "it is this machine"
	hostsFile   = "it is a name of hosts files"
	private     = "it is a name of private networks"
	metadata    = "it is the metadata service of a cloud"
	cluster     = "it is a name inside a cluster"
	discovery   = "it is for finding proxies and tunnels"
	testing     = "it is kept for tests and documentation (RFC 6761)"
	anyAddress  = "its names stand for any address, this machine included"
)

// names are refused with all names below them.
var names = map[string]nameRow{
	// RFC 6761 and hosts files
	"localhost":      {what: thisMachine + " (RFC 6761)"},
	"localdomain":    {what: thisMachine},
	"localhost4":     {what: hostsFile},
	"localhost6":     {what: hostsFile},
	"localdomain4":   {what: hostsFile},
	"localdomain6":   {what: hostsFile},
	"ip6-localhost":  {what: hostsFile},
	"ip6-loopback":   {what: hostsFile},
	"ip6-localnet":   {what: hostsFile},
	"ip6-allnodes":   {what: hostsFile},
	"ip6-allrouters": {what: hostsFile},
	"broadcasthost":  {what: hostsFile},
	"loopback":       {what: hostsFile},
	// Names that public DNS does not have
	"local":     {below: true, what: "it is a name of the local link (RFC 6762)"},
	"internal":  {below: true, what: private + " (kept for private use by ICANN)"},
	"home.arpa": {what: private + " (RFC 8375)"},
	"arpa":      {below: true, what: "it is infrastructure of the DNS (RFC 3172)"},
	"test":      {below: true, what: testing},
	"invalid":   {below: true, what: testing},
	"example":   {below: true, what: testing},
	"onion":     {below: true, what: "it is no name of the DNS (RFC 7686)"},
	"alt":       {below: true, what: "it is no name of the DNS (RFC 9476)"},
	"lan":       {below: true, what: private},
	"intranet":  {below: true, what: private + " (RFC 6762, appendix G)"},
	"corp":      {below: true, what: private + " (RFC 6762, appendix G)"},
	"home":      {below: true, what: private + " (RFC 6762, appendix G)"},
	"private":   {below: true, what: private + " (RFC 6762, appendix G)"},
	"mail":      {below: true, what: private},
	"domain":    {below: true, what: private},
	"workgroup": {below: true, what: private},
	"router":    {below: true, what: private},
	"localnet":  {below: true, what: private},
	"fritz.box": {what: "it is the router at home"},
	// Clouds; their addresses are judged as addresses
	"metadata":                {what: metadata},
	"metadata.goog":           {what: metadata},
	"instance-data":           {what: metadata},
	"internal.cloudapp.net":   {what: private + " (Azure)"},
	"oraclevcn.com":           {what: private + " (Oracle)"},
	"metadata.tencentyun.com": {what: metadata},
	// Clusters; those of containers end in internal and local
	"kubernetes":         {what: cluster},
	"kubernetes.default": {what: cluster},
	"svc":                {below: true, what: cluster},
	// Auto-discovery, see also firstLabels
	"wpad":   {what: discovery},
	"isatap": {what: discovery},
	// Wildcard DNS: a page cannot see which address such a name stands for
	"nip.io":        {resolvable: true, what: anyAddress},
	"sslip.io":      {resolvable: true, what: anyAddress},
	"xip.io":        {resolvable: true, what: anyAddress},
	"localtest.me":  {resolvable: true, what: anyAddress},
	"lvh.me":        {resolvable: true, what: anyAddress},
	"vcap.me":       {resolvable: true, what: anyAddress},
	"lacolhost.com": {resolvable: true, what: anyAddress},
	"traefik.me":    {resolvable: true, what: anyAddress},
	"local.gd":      {resolvable: true, what: anyAddress},
	"rbndr.us":      {resolvable: true, what: anyAddress},
	"1u.ms":         {resolvable: true, what: anyAddress},
}

// firstLabels are refused at the left end of any name.
var firstLabels = map[string]string{"wpad": discovery, "isatap": discovery}
