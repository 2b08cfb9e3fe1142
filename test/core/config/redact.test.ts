import t from 'tap'
import { redactText } from '../../../core/base/util/redact-text.ts'
import { listSecrets, redactConfig } from '../../../core/config/redact.ts'
import { load } from './helpers.ts'

t.test('a printed configuration holds no secret', async (t) => {
  const toml = `
[database]
url = "postgres://app:hunter22@db.example/shop?sslmode=require&password=hunter33"
[security]
jwt_secret = "a-very-long-secret"
pin = 4711
[svc]
max_document_tokens = 500
[[plugins.use]]
path = "./x.ts"
options = { api_token = "tok-123456", urls = ["https://u:p@h/x"], key_hash = "" }
`
  const { config, schema } = await load(t, toml)
  const printed = redactConfig(config, schema)
  t.match(printed, {
    database: { url: 'postgres://db.example/shop?sslmode=require&password=[REDACTED]' },
    security: { jwt_secret: '[REDACTED]', pin: '[REDACTED]', default_policy: 'authenticated' },
    svc: { max_document_tokens: 500 },
    plugins: { use: [{ options: { api_token: '[REDACTED]', urls: ['https://h/x'], key_hash: '' } }] },
  })
  for (const secret of ['hunter22', 'hunter33', 'a-very-long', '4711', 'tok-123', 'u:p']) {
    t.notMatch(JSON.stringify(printed), secret)
  }
  t.strictSame([...listSecrets(config, schema)].sort(), ['a-very-long-secret', 'tok-123456'])
  t.match(config.security, { jwt_secret: 'a-very-long-secret' }, 'the configuration itself is untouched')
})

t.test('a value beside a name that marks a secret is redacted', async (t) => {
  const toml = `
[session_variables]
variables = [
  { name = "app.encryption_key", source = "literal", value = "pgp-key-of-nobody" },
  { name = "app.region", source = "literal", value = "region-of-somebody" },
  { name = "app.token", source = "jwt", claim = "tok" },
]
`
  const { config, schema } = await load(t, toml)
  t.match(redactConfig(config, schema).session_variables, {
    variables: [
      { name: 'app.encryption_key', source: 'literal', value: '[REDACTED]' },
      { name: 'app.region', source: 'literal', value: 'region-of-somebody' },
      { name: 'app.token', source: 'jwt', claim: 'tok' },
    ],
  })
  t.strictSame(listSecrets(config, schema), ['pgp-key-of-nobody'])
})

t.test('a long line of the log costs as much as its length', (t) => {
  for (const word of ['a.', 'a-', 'http://', '://a', 'password=', "='", '?key', '&sig=']) {
    const started = performance.now()
    redactText(word.repeat(200_000 / word.length))
    t.ok(performance.now() - started < 1000, word)
  }
  t.end()
})

t.test('credentials in running text', async (t) => {
  const TABLE = [
    ['connect postgres://u:p%40@h:5432/db failed', 'connect postgres://h:5432/db failed'],
    ['to redis://:pw@h, again', 'to redis://h, again'],
    ["host=h password='a b' user=x", 'host=h password=[REDACTED] user=x'],
    ['https://h/?a=1&access_token=xyz&b=2', 'https://h/?a=1&access_token=[REDACTED]&b=2'],
    ['https://h/m.json?X-Amz-Signature=ab12&x=1', 'https://h/m.json?X-Amz-Signature=[REDACTED]&x=1'],
    ['https://h/?api_key=k1&apikey=k2#f', 'https://h/?api_key=[REDACTED]&apikey=[REDACTED]'],
    ['https://h/?sv=1&sig=a%2Bb&key=AIza', 'https://h/?sv=1&sig=[REDACTED]&key=[REDACTED]'],
    ['user id=sa;pwd=x1', 'user id=sa;pwd=[REDACTED]'],
    ['key=7 sig=8 monkey=9 ?design=3', 'key=7 sig=8 monkey=9 ?design=3'],
    ['Authorization: Bearer eyJhbGciOi.JIUzI1.NiJ9', 'Authorization: Bearer [REDACTED]'],
    ['mail me@example.com about https://example.com/@me', 'mail me@example.com about https://example.com/@me'],
  ] as const
  for (const [text, expected] of TABLE) t.equal(redactText(text), expected)
})
