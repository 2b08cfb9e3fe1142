// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration interpolates, not JavaScript
import t from 'tap'
import { faultsOf, load } from './helpers.ts'

t.test('${VAR}, ${VAR:-fallback} and $${', async (t) => {
  const toml = `
[project]
name = "\${APP}-\${STAGE:-dev}"
description = "costs $\${PRICE} or $5"
version = "\${EMPTY:-2.0.0}"
[database]
url = "postgres://\${DB_USER}:\${DB_PASSWORD}@h/db?x=\${NOTHING:-}"
`
  const { config } = await load(t, toml, { env: { APP: 'shop', EMPTY: '', DB_USER: 'u', DB_PASSWORD: 'p$1' } })
  t.match(config.project, { name: 'shop-dev', description: 'costs ${PRICE} or $5', version: '2.0.0' })
  t.match(config.database, { url: 'postgres://u:p$1@h/db?x=' })
})

t.test('a reference takes the type of its key', async (t) => {
  const toml = '[server]\nport = "${P}"\n[server.cors]\ncredentials = "${YES:-true}"\norigins = ["${A}", "b"]\n'
  const { config } = await load(t, toml, { env: { P: '81', A: 'https://a' } })
  t.match(config.server, { port: 81, cors: { credentials: true, origins: ['https://a', /^b$/] } })
})

t.test('a missing variable names itself, the key and the line', async (t) => {
  t.strictSame(await faultsOf(t, '[database]\n\nurl = "${SHOP_DB}"\n'), [
    'svc.toml:3: database.url needs the environment variable SHOP_DB, which is not set. Set it, or give a fallback: ${SHOP_DB:-…}.',
  ])
  t.match(await faultsOf(t, '[server.cors]\norigins = [\n  "a",\n  "${B}",\n]\n'), [
    'svc.toml:4: server.cors.origins[1] needs the environment variable B',
  ])
})

t.test('a malformed reference is said to be one', async (t) => {
  const texts = await faultsOf(t, '[project]\nname = "${NOT CLOSED"\nversion = "${a-b}"\n')
  t.match(texts, [
    'svc.toml:2: project.name: "${NOT CLOSED" is not a reference. Write ${VAR}, ${VAR:-fallback}, or $${ for the characters themselves.',
    'svc.toml:3: project.version: "${a-b}" is not a reference.',
  ])
})

t.test('a variable may be missing if a stronger layer sets the key, or the key is unused', async (t) => {
  const toml = '[database]\nurl = "${NOPE}"\n'
  const flags = [{ flag: '--database', key: 'database.url', value: 'pglite:memory' }]
  t.match((await load(t, toml, { flags })).config.database, { url: 'pglite:memory' })
  const { config } = await load(t, toml, { ignore: ['database.url'] })
  t.notOk('url' in (config.database as object))
})

t.test('values of the environment are taken as they are', async (t) => {
  const { config } = await load(t, '', { env: { SVC_PROJECT__NAME: '${APP}' } })
  t.match(config.project, { name: '${APP}' })
})
