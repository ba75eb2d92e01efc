/**
 * Webhook targets by verdict. `PORT` is replaced with the port of the test's own listener, which detects targets that
 * slip through and reach this machine.
 */

/** First, last and a middle address of every IPv4 block that is not globally reachable. */
const closedIpv4 = [
  ...['0.0.0.0', '0.0.0.1', '0.255.255.255', '10.0.0.0', '10.1.2.3', '10.255.255.255'],
  ...['100.64.0.0', '100.100.100.200', '100.127.255.255', '127.0.0.0', '127.0.0.1', '127.255.255.254'],
  ...['169.254.0.0', '169.254.169.254', '169.254.170.2', '169.254.255.255'],
  ...['172.16.0.0', '172.20.10.5', '172.31.255.255', '192.0.0.0', '192.0.0.9', '192.0.0.170', '192.0.0.255'],
  ...['192.0.2.0', '192.0.2.255', '192.31.196.1', '192.52.193.1', '192.88.99.1', '192.175.48.1'],
  ...['192.168.0.0', '192.168.1.1', '192.168.255.255', '198.18.0.0', '198.19.255.255'],
  ...['198.51.100.0', '198.51.100.255', '203.0.113.0', '203.0.113.255'],
  ...['224.0.0.0', '224.0.0.251', '239.255.255.255', '240.0.0.0', '250.1.1.1', '255.255.255.255'],
];

/** Notations of an IPv4 address that browsers and WHATWG URL still accept. */
function spellings(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (n: number) => `0x${n.toString(16)}`;
  const octal = (n: number) => `0${n.toString(8)}`;
  return [
    address,
    String(whole),
    hex(whole),
    octal(whole),
    [a, b, c, d].map(hex).join('.'),
    [a, b, c, d].map(octal).join('.'),
    `${a}.${b}.${c * 256 + d}`,
  ];
}

const trickyIpv4 = [
  ...['127.1', '127.0.1', '0', '0x0', '00', '127.0.0.1.', '0x7f.1', '0177.1', '017700000001', '2130706433.'],
  // Full-width digits, ideographic full stops and percent-encoding are normalised before the host is parsed.
  ...['１２７.０.０.１', '127。0。0。1', '%31%32%37.0.0.1', '①②⑦.⓪.⓪.①', '0x7F000001', '0X7f.0.0.0X1'],
];

const closedIpv6 = [
  // unspecified, loopback, IPv4-compatible
  ...['::', '::1', '0:0:0:0:0:0:0:1', '::127.0.0.1', '::7f00:1', '::10.0.0.1', '::8.8.8.8', '::2'],
  // IPv4-mapped and IPv4-translated
  ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:192.168.1.1'],
  ...['::ffff:8.8.8.8', '0:0:0:0:0:ffff:7f00:0001', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  // NAT64, well-known and local-use
  ...[
    '64:ff9b::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::a00:1',
    '64:ff9b::169.254.169.254',
    '64:ff9b::8.8.8.8',
  ],
  ...['64:ff9b:1::', '64:ff9b:1::7f00:1', '64:ff9b:1:ffff:ffff:ffff:127.0.0.1', '64:ff9b:2::1'],
  // discard, dummy, SRv6 identifiers
  ...['100::', '100::1', '100:0:0:1::1', '5f00::1'],
  // Teredo, benchmarking, ORCHID, drone identifiers and the rest of 2001::/23
  ...[
    '2001::',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:0:7f00:1::',
    '2001:1::1',
    '2001:1::2',
  ],
  ...['2001:2::1', '2001:2:0:ffff::1', '2001:3::1', '2001:4:112::1', '2001:10::1', '2001:1f:ffff::1'],
  ...['2001:20::1', '2001:2f:ffff::1', '2001:30::1', '2001:3f::1', '2001:100::1', '2001:1ff:ffff::1'],
  // documentation
  ...['2001:db8::', '2001:db8::1', '2001:db8:ffff:ffff::1', '3fff::', '3fff::1', '3fff:fff:ffff::1'],
  // 6to4 around private and public addresses
  ...['2002::', '2002:7f00:1::1', '2002:a00:1::', '2002:c0a8:101::1', '2002:a9fe:a9fe::', '2002:808:808::1'],
  // AS112, 6bone
  ...['2620:4f:8000::1', '3ffe::1', '3ffe:ffff::1'],
  // ISATAP under a global prefix
  ...['2600:1f18::5efe:10.0.0.1', '2a00:1450::200:5efe:7f00:1', '2600::5efe:8.8.8.8'],
  // unique local, link-local, site-local, multicast, and unassigned
  ...['fc00::', 'fc00::1', 'fd00::1', 'fd12:3456:789a::1', 'fdff:ffff::1', 'fe80::', 'fe80::1', 'febf::1'],
  ...['fec0::1', 'feff::1', 'ff00::', 'ff02::1', 'ff02::fb', 'ff05::2', 'ff0e::1', 'ffff::1'],
  ...['200::1', '400::1', '1000::1', '1fff:ffff::1', '4000::1', '6000::1', '8000::1', 'a000::1', 'e000::1'],
];

const localNames = [
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.b.localhost', 'x.LocalHost.', 'local', 'lan'],
  ...[
    'ｌｏｃａｌｈｏｓｔ',
    'loc%61lhost',
    'printer.local',
    'metadata.google.internal',
    'db.internal',
    'internal',
  ],
  ...[
    'localhost.localdomain',
    'host.localdomain',
    'router.home.arpa',
    'home.arpa',
    'nas.lan',
    'wiki.intranet',
  ],
  ...['intranet', 'kubernetes', 'ip6-localhost', 'host'],
];

const brokenUrls = [
  ...['', ' ', 'https', 'https:', 'https://', 'https:///', 'https:///path', '//hooks.example.com/', '/hook'],
  ...['hooks.example.com', 'hooks.example.com/hook', 'https:hooks.example.com', 'https:/hooks.example.com'],
  ...[
    'https:\\\\hooks.example.com\\',
    'https://hooks.example.com\\@127.0.0.1/',
    'https://hooks.exam ple.com/',
  ],
  ...[' https://hooks.example.com/', 'https://hooks.example.com/ ', 'https://hooks.example.com/a b'],
  ...['https://hooks.example.com/\n', 'ht\ntps://hooks.example.com/', 'https://hooks\t.example.com/'],
  ...[
    'https://hooks.example.com:99999/',
    'https://hooks.example.com:abc/',
    'https://[::1',
    'https://[::1]x/',
  ],
  ...['https://[fe80::1%25eth0]/', 'https://[v1.fe80]/', 'https://1.2.3.4.5/', 'https://256.1.1.1/'],
  ...[
    'https://0x100000000/',
    'https://a..%00/',
    'https://exa%mple.com/',
    'https://ho^st.example/',
    'https://./',
  ],
  `https://hooks.example.com/${'a'.repeat(2048)}`,
];

const otherSchemes = ['http', 'ftp', 'ws', 'wss', 'file', 'gopher', 'dict', 'ldap', 'unix', 'httpss'].map(
  (scheme) => `${scheme}://hooks.example.com/hook`,
);
const opaqueSchemes = [
  'data:text/plain,x',
  'javascript:alert(1)',
  'mailto:a@example.com',
  'blob:https://a.b/c',
];

const withUserinfo = [
  'user@',
  'user:pass@',
  ':pass@',
  '@',
  ':@',
  'a%40b@',
  'user:@',
  'hooks.example.com@',
].map((userinfo) => `https://${userinfo}hooks.example.com/hook`);

const credentialNames = [
  ...[
    'token',
    'access_token',
    'auth',
    'authorization',
    'api_key',
    'apikey',
    'key',
    'secret',
    'client_secret',
  ],
  ...['password', 'passwd', 'sig', 'signature', 'credential', 'jwt', 'x-amz-signature', 'x-amz-credential'],
  ...['x-goog-signature', 'x-goog-anything'],
];
const withCredential = credentialNames.flatMap((name) => [
  `https://hooks.example.com/hook?${name}=1`,
  `https://hooks.example.com/hook?a=b&${name.toUpperCase()}=1`,
]);
const hiddenCredential = [
  ...['?%74oken=1', '?token', '?token=', '?a=1;token=2', '?a&&Token=1', '?+key=1', '?X-Amz-=1', '?key=1#x'],
].map((query) => `https://hooks.example.com/hook${query}`);

const atListener = (host: string) => `https://${host}:PORT/hook`;

export const refusedAddresses: readonly string[] = [
  ...closedIpv4.flatMap(spellings),
  ...trickyIpv4,
  ...closedIpv6.map((address) => `[${address}]`),
  ...localNames,
].map(atListener);

export const refusedForms: readonly string[] = [
  ...brokenUrls,
  ...otherSchemes,
  ...opaqueSchemes,
  ...withUserinfo,
  ...withCredential,
  ...hiddenCredential,
];

/** Addresses that make a target rejected if its name resolves to them. */
export const closedAnswers: readonly string[] = [...closedIpv4, ...closedIpv6];

export const acceptedTargets: readonly string[] = [
  // public literals next to the blocked ranges
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255'],
  ...['192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0'],
  ...['198.51.99.255', '203.0.112.255', '203.0.114.0', '223.255.255.255', '134744072', '0x08080808'],
  ...['[2001:4860:4860::8888]', '[2606:4700:4700::1111]', '[2a00:1450:4001:80b::200e]', '[2001:200::1]'],
  ...['[2003::1]', '[2400:cb00::1]', '[2620:4f:7fff::1]', '[2620:4f:8001::1]', '[2c0f:f248::1]'],
  // names
  ...['hooks.example.com', 'HOOKS.example.com', 'hooks.example.com.', 'a-b.c_d.example', 'münchen.example'],
  ...['xn--mnchen-3ya.example', 'localhost.example.com', 'mylocal.example', 'internal.example.org'],
  ...['notlocalhost.com', '127.0.0.1.example.com', 'receiver.invalid', 'receiver.test'],
]
  .map((host) => `https://${host}/hook`)
  .concat([
    'https://hooks.example.com',
    'HTTPS://hooks.example.com/hook',
    'https://hooks.example.com:8443/hook',
    'https://hooks.example.com:65535/',
    'https://hooks.example.com/hook?tenant=7&keyboard=us&tokens=3&x-amzn=1',
    'https://hooks.example.com/token/secret/key',
    'https://hooks.example.com/a@b?next=a%20b#fragment',
    'https://hooks.example.com/?author=a&monkey=b&design=c',
  ]);
