import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { postGraphQL } from '../post.ts'
import { cpuSeconds } from '../process-tree.ts'
import { freePort, ROOT, readMemory } from '../svc-process.ts'

/** A server of the page, as its users start it. */
export interface BesideServer {
  /** Title of its column. */
  readonly name: string
  /** Version of the server and of its Node. */
  readonly version: string
  /** What the user types, without the folder and the URL of this machine. */
  readonly command: string
  /** A query of a list of five rows. */
  readonly query: string
  start(port: number): ChildProcess
}

export interface FirstAnswer {
  /** From spawn to the response of the first query. */
  readonly ms: number
  /** Processor time of all threads until then. */
  readonly processorMs: number
  /** Resident memory half a second later. */
  readonly mib: number
}

const svc = join(ROOT, 'bin', 'svc.js')
const environment = { ...process.env, SVC_DIST: '1', DATABASE_URL: '' }

/** Runs a command of svc to its end. */
export function runSvc(node: string, cwd: string, ...args: readonly string[]): void {
  execFileSync(node, [svc, ...args], { cwd, env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** @param node program of Node, the same for all servers */
export function svcServer(
  name: string,
  node: string,
  command: string,
  { args, cwd, env = {} }: { args: readonly string[]; cwd: string; env?: Readonly<Record<string, string>> },
): BesideServer {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  return {
    name,
    version: `svc ${version}, ${versionOf(node)}`,
    command,
    query: '{ albums(limit: 5) { items { title artist { name } } } }',
    start: (port) =>
      spawn(node, [svc, ...args, '--port', String(port)], {
        cwd,
        env: { ...environment, ...env },
        stdio: 'ignore',
      }),
  }
}

function versionOf(node: string): string {
  return `Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1)}`
}

/** @param kit folder of the benchmark kit, with PostGraphile installed */
export function postgraphileServer(kit: string, node: string, url: string): BesideServer {
  const folder = join(kit, 'node_modules', 'postgraphile')
  const { version, bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string
    bin: string | Readonly<Record<string, string>>
  }
  return {
    name: 'PostGraphile',
    version: `PostGraphile ${version} with its preset amber, ${versionOf(node)}`,
    command: 'npx postgraphile -P postgraphile/presets/amber -e -c URL',
    query: '{ allAlbums(first: 5) { nodes { title artistByArtistId { name } } } }',
    start: (port) =>
      spawn(
        node,
        [
          join(folder, typeof bin === 'string' ? bin : bin.postgraphile!),
          '-P',
          'postgraphile/presets/amber',
          '-e',
          '-c',
          url,
          '-p',
          String(port),
        ],
        // The preset is resolved from the folder.
        { cwd: kit, env: process.env, stdio: 'ignore' },
      ),
  }
}

/** Starts a server, sends the query until it is answered, and calls `work` before the server is stopped. */
export async function measureFirstAnswer(
  server: BesideServer,
  work: (address: string) => Promise<void> = async () => {},
): Promise<FirstAnswer> {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const began = performance.now()
  const child = server.start(port)
  const ended = new Promise((done) => child.once('exit', done))
  try {
    await untilAnswered(child, `${address}/graphql`, server)
    const ms = performance.now() - began
    const processorMs = cpuSeconds(child.pid!) * 1000
    await new Promise((done) => setTimeout(done, 500))
    const mib = readMemory(child.pid!).rss
    await work(address)
    return { ms, processorMs, mib }
  } finally {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
    await ended
    clearTimeout(timer)
  }
}

async function untilAnswered(child: ChildProcess, url: string, { name, query }: BesideServer): Promise<void> {
  const deadline = performance.now() + 120_000
  for (;;) {
    const answer = await postGraphQL(url, { query }).catch(() => null)
    if (answer?.status === 200 && answer.body.includes('For Those About To Rock')) return
    if (answer !== null) throw new Error(`${name} answers ${answer.status}: ${answer.body.slice(0, 300)}`)
    if (child.exitCode !== null) throw new Error(`${name} exited with ${child.exitCode}`)
    if (performance.now() > deadline) throw new Error(`${name} did not answer within two minutes`)
    await new Promise((done) => setTimeout(done, 5))
  }
}
