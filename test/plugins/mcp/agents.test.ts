import { readFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { parse } from 'smol-toml'
import t from 'tap'
import { SvcError } from '../../../core/doors/plugin.ts'
import { entry, plugin } from '../../helpers/kernel.ts'
import { requireService } from '../../helpers/services.ts'
import { authOf } from '../../helpers/test-credential.ts'
import { openWorld } from './world.ts'

/** The configurations of the page for agents: each is read as its agent reads it, and what it says is spoken with. */
const PAGE = readFileSync(new URL('../../../docs/guides/connect-an-agent.md', import.meta.url), 'utf8')

function blockOf(file: string): string {
  const found = new RegExp(`\`\`\`\\w+ file=${file}\\n([\\s\\S]*?)\`\`\``).exec(PAGE)?.[1]
  if (found === undefined) throw new Error(`The page has no ${file}`)
  return found
}

/** `${input:id}`: what a person typed. */
const typed = (text: string, inputs: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{input:([\w-]+)\}/g, (whole, id: string) => inputs[id] ?? whole)

interface Started {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}
interface Remote {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

const json = (file: string, inputs: Readonly<Record<string, string>> = {}) => JSON.parse(typed(blockOf(file), inputs))
const toml = (file: string) => (parse(blockOf(file)) as { mcp_servers: { shop: never } }).mcp_servers.shop

/** Words of a shell, with quotes; no line of the page has more. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')

/** `agent mcp add shop --env K=V -- command args` */
function startedBy(line: string): Started {
  const words = wordsOf(line)
  const [name = '', value = ''] = words[words.indexOf('--env') + 1]!.split(/=(.*)/)
  const [command = '', ...args] = words.slice(words.indexOf('--') + 1)
  return { command, args, env: { [name]: value } }
}

t.test('every sample configuration starts the same command', async (t) => {
  const wanted: Started = json('stdio.json').mcpServers.shop
  t.match(wanted, {
    command: 'npx',
    args: ['svc', 'run', /svc\.toml$/, '--mcp-stdio'],
    env: { SVC_MCP_API_KEY: 'svc_…' },
  })
  const { type, ...vscode } = json('stdio-vscode.json', { 'shop-key': 'svc_…' }).servers.shop
  t.equal(type, 'stdio')
  t.same(vscode, wanted)
  t.same(toml('stdio-codex.toml'), wanted)
  for (const line of blockOf('stdio.sh').trim().split('\n')) t.same(startedBy(line), wanted, line)
})

t.test('an agent reaches a running service with its credential', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const token = entry(
    plugin('token-of-the-page', (scope) => {
      scope.on('authenticate', ({ headers: { authorization } }) => {
        if (authorization === undefined) return undefined
        if (authorization !== 'Bearer a-token') throw new SvcError('UNAUTHENTICATED', 'Another token.')
        return authOf({ subject: 'agent' })
      })
    }),
  )
  const app = await openWorld(t, { mcp: { require_auth: true }, plugins: [token] })
  const base = await app.listen()
  const shell = blockOf('http.sh').trim().split('\n').map(wordsOf)
  const after = (words: readonly string[], flag: string): string => words[words.indexOf(flag) + 1] ?? ''
  const [claude = [], codex = []] = shell
  const [header = '', value = ''] = after(claude, '--header').split(/: (.*)/)
  const environment: Readonly<Record<string, string>> = { SHOP_TOKEN: '…' }
  const bearer = (name: string) => ({ Authorization: `Bearer ${environment[name]}` })
  const ofToml = toml('http-codex.toml') as { url: string; bearer_token_env_var: string }
  const gemini = json('http-gemini.json').mcpServers.shop
  const all: Readonly<Record<string, Remote>> = {
    'http.json': json('http.json').mcpServers.shop,
    'http-vscode.json': json('http-vscode.json', { 'shop-token': '…' }).servers.shop,
    'http-gemini.json': { url: gemini.httpUrl, headers: gemini.headers },
    'http-codex.toml': { url: ofToml.url, headers: bearer(ofToml.bearer_token_env_var) },
    'claude mcp add': { url: claude.find((word) => word.startsWith('https:')) ?? '', headers: { [header]: value } },
    'codex mcp add': { url: after(codex, '--url'), headers: bearer(after(codex, '--bearer-token-env-var')) },
  }
  for (const [name, { url, headers }] of Object.entries(all)) {
    const own = new URL(url.replace('https://api.example.com', base))
    const sent = Object.fromEntries(Object.entries(headers).map(([key, text]) => [key, text.replace('…', 'a-token')]))
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(own, { requestInit: { headers: sent } }))
    const { structuredContent } = await client.callTool({ name: 'book', arguments: { id: '1' } })
    t.match(structuredContent, { book: { id: /^1$/ } }, name)
    await client.close()
  }
  t.equal((await fetch(`${base}/mcp`, { method: 'POST', body: '{}' })).status, 401)
})
