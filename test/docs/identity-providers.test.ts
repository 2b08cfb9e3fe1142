import { readFileSync } from 'node:fs'
import t from 'tap'
import { loadConfig } from '../../core/config/load-config.ts'
import type { JwtOptions } from '../../plugins/jwt/options.ts'
import { toVerifiedToken } from '../../plugins/jwt/to-verified-token.ts'
import { readTrustedIssuers } from '../../plugins/jwt/trusted-issuers.ts'
import { listManifests } from '../../scripts/docs/config-sections.ts'

const page = readFileSync(new URL('../../docs/guides/identity-providers.md', import.meta.url), 'utf8')
const sections = page.split(/^## /m).slice(1)
const PROVIDERS = ['Auth0', 'Amazon Cognito', 'Clerk', 'Supabase', 'Keycloak']

const blockOf = (text: string, language: string): string | undefined =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1]

for (const section of sections) {
  const title = section.slice(0, section.indexOf('\n'))
  const toml = blockOf(section, 'toml')
  if (toml === undefined) continue
  t.test(`${title}: the configuration is one, and reads its token as the page says`, async (t) => {
    const { config } = await loadConfig({
      file: 'svc.toml',
      cwd: t.testdir({ 'svc.toml': toml }),
      env: {},
      catalog: () => ({ manifests: listManifests() }),
    })
    const options = config.security as unknown as JwtOptions
    const warnings: string[] = []
    const warn = (message: string): void => void warnings.push(message)
    const issuers = readTrustedIssuers(options, { baseDir: '.', warn, changed: () => {} })
    t.strictSame(warnings, [], 'nothing in it is refused in production')
    const json = blockOf(section, 'json')
    if (json === undefined) return
    const claims = JSON.parse(json) as { readonly iss: string; readonly aud: string | readonly string[] }
    t.strictSame(
      issuers.map(({ issuer }) => issuer),
      [claims.iss],
    )
    t.ok([claims.aud].flat().includes(String(issuers[0]?.audience)), 'the token is for this service')
    const { auth } = toVerifiedToken({ ...claims, exp: 4_000_000_000 }, options, false)
    const said = /^svc reads: roles `(.*)`, scopes `(.*)`\.$/m.exec(section)
    t.strictSame([auth.roles, auth.scopes], [JSON.parse(said?.[1] ?? ''), JSON.parse(said?.[2] ?? '')])
  })
}

t.test('the page has a section with a configuration and a token for each provider', async (t) => {
  const titles = sections.filter((text) => blockOf(text, 'json') !== undefined).map((text) => text.split('\n')[0])
  t.strictSame(titles, PROVIDERS)
})
