package policy

// The names that a tool may not reach, as data: in lower-case A-labels, without a trailing dot.

type scope int

const (
	both  scope = iota // the name and all below it
	exact              // the name alone
	below              // all below it
)

type nameRow struct {
	scope      scope
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

var names = map[string]nameRow{
	// RFC 6761 and hosts files
	"localhost":      {both, false, thisMachine + " (RFC 6761)"},
	"localdomain":    {both, false, thisMachine},
	"localhost4":     {both, false, hostsFile},
	"localhost6":     {both, false, hostsFile},
	"localdomain4":   {both, false, hostsFile},
	"localdomain6":   {both, false, hostsFile},
	"ip6-localhost":  {exact, false, hostsFile},
	"ip6-loopback":   {exact, false, hostsFile},
	"ip6-localnet":   {exact, false, hostsFile},
	"ip6-allnodes":   {exact, false, hostsFile},
	"ip6-allrouters": {exact, false, hostsFile},
	"broadcasthost":  {exact, false, hostsFile},
	"loopback":       {both, false, hostsFile},
	// Names that public DNS does not have
	"local":     {below, false, "it is a name of the local link (RFC 6762)"},
	"internal":  {below, false, private + " (kept for private use by ICANN)"},
	"home.arpa": {both, false, private + " (RFC 8375)"},
	"arpa":      {below, false, "it is infrastructure of the DNS (RFC 3172)"},
	"test":      {below, false, testing},
	"invalid":   {below, false, testing},
	"example":   {below, false, testing},
	"onion":     {below, false, "it is no name of the DNS (RFC 7686)"},
	"alt":       {below, false, "it is no name of the DNS (RFC 9476)"},
	"lan":       {below, false, private},
	"intranet":  {below, false, private + " (RFC 6762, appendix G)"},
	"corp":      {below, false, private + " (RFC 6762, appendix G)"},
	"home":      {below, false, private + " (RFC 6762, appendix G)"},
	"private":   {below, false, private + " (RFC 6762, appendix G)"},
	"mail":      {below, false, private},
	"domain":    {below, false, private},
	"workgroup": {below, false, private},
	"router":    {below, false, private},
	"localnet":  {below, false, private},
	"fritz.box": {both, false, "it is the router at home"},
	// Clouds; their addresses are judged as addresses
	"metadata":                {exact, false, metadata},
	"metadata.goog":           {both, false, metadata},
	"instance-data":           {both, false, metadata},
	"internal.cloudapp.net":   {both, false, private + " (Azure)"},
	"oraclevcn.com":           {both, false, private + " (Oracle)"},
	"metadata.tencentyun.com": {both, false, metadata},
	// Clusters; those of containers end in internal and local
	"kubernetes":         {exact, false, cluster},
	"kubernetes.default": {exact, false, cluster},
	"svc":                {below, false, cluster},
	// Auto-discovery, see also firstLabels
	"wpad":   {both, false, discovery},
	"isatap": {both, false, discovery},
	// Wildcard DNS: a page cannot see which address such a name stands for
	"nip.io":        {both, true, anyAddress},
	"sslip.io":      {both, true, anyAddress},
	"xip.io":        {both, true, anyAddress},
	"localtest.me":  {both, true, anyAddress},
	"lvh.me":        {both, true, anyAddress},
	"vcap.me":       {both, true, anyAddress},
	"lacolhost.com": {both, true, anyAddress},
	"traefik.me":    {both, true, anyAddress},
	"local.gd":      {both, true, anyAddress},
	"rbndr.us":      {both, true, anyAddress},
	"1u.ms":         {both, true, anyAddress},
}

// firstLabels are refused at the left end of any name.
var firstLabels = map[string]string{"wpad": discovery, "isatap": discovery}
