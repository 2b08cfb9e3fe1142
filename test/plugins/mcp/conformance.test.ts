import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { entry } from '../../helpers/kernel.ts'
import { requireService } from '../../helpers/services.ts'
import fixtures from './fixtures.ts'
import { openWorld } from './world.ts'

t.setTimeout(400_000)

/**
 * The official suite against a service whose schema is the library's and whose fixture tools come from a plugin. It is no dependency of
 * ours and wants Node 22: CI installs it with one into a folder, which MCP_CONFORMANCE names.
 */
const FOLDER = process.env.MCP_CONFORMANCE

/** What they are about is nothing that svc has. */
const OTHERS: Readonly<Record<string, string>> = {
  'logging-set-level': 'svc logs to its operator, not to agents',
  'tools-call-with-logging': 'svc logs to its operator, not to agents',
  'tools-call-sampling': 'svc asks clients for nothing in the manner of old revisions',
  'tools-call-elicitation': 'svc asks clients for nothing in the manner of old revisions',
  'elicitation-sep1034-defaults': 'svc asks clients for nothing in the manner of old revisions',
  'elicitation-sep1330-enums': 'svc asks clients for nothing in the manner of old revisions',
  'resources-subscribe': 'resources change with the schema alone; whoever waits hears of their list',
  'resources-unsubscribe': 'resources change with the schema alone; whoever waits hears of their list',
  'server-sse-polling': 'streams are not resumed',
}

const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']

function run(args: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  const root = String(FOLDER)
  const own = join(root, 'node_modules/node/bin/node')
  const node = existsSync(own) ? own : process.execPath
  const cli = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  return new Promise((resolve) => {
    execFile(node, [cli, ...args], { timeout: 120_000, maxBuffer: 64_000_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out: `${stdout}${stderr}` }),
    )
  })
}

t.test('the official conformance suite', async (t) => {
  // Where its Node is: the step of CI with the newest one. To skip it elsewhere would be to miss a service.
  if (FOLDER === undefined) return t.pass('MCP_CONFORMANCE names no folder')
  if (!(await requireService(t, 'postgres'))) return
  const app = await openWorld(t, { plugins: [entry(fixtures)] })
  const url = `${(await app.listen()).replace('127.0.0.1', 'localhost')}/mcp`
  const { out: list } = await run(['list', '--server'])
  const scenarios = [...list.matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)].map(([, name = '', revisions = '']) => ({
    name,
    revisions: revisions.split(','),
  }))
  t.ok(scenarios.length > 40, 'the scenarios are listed')
  for (const name of Object.keys(OTHERS))
    t.ok(
      scenarios.some((one) => one.name === name),
      `${name} is one of them`,
    )
  const page = readFileSync(new URL('../../../docs/plugins/mcp.md', import.meta.url), 'utf8')
  for (const { name, revisions } of scenarios) {
    // Of extensions the page names the families.
    if (revisions.includes('extension')) continue
    const row = page.split('\n').find((line) => line.startsWith('| ') && line.includes(`\`${name}\``)) ?? ''
    t.ok(row !== '', `${name} stands on the page`)
    if (OTHERS[name] === undefined) t.ok(row.startsWith(`| ${revisions.join(', ')} |`), `${name}: its revisions`)
    else t.ok(row.includes(OTHERS[name]), `${name}: why not`)
  }
  for (const revision of REVISIONS) {
    const wanted = scenarios.filter(({ name, revisions }) => revisions.includes(revision) && OTHERS[name] === undefined)
    for (const { name } of wanted) {
      const { code, out } = await run(['server', '--url', url, '--scenario', name, '--spec-version', revision])
      t.equal(code, 0, `${revision} ${name}: ${code === 0 ? '' : out.slice(-3000)}`)
      t.match(out, /passed|SUCCESS|INFO|SKIPPED/i, `${revision} ${name} was run`)
    }
  }
})
