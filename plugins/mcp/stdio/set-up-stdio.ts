import { takeStdout } from '../../../core/doors/command.ts'
import type { OwnedCredential } from '../../../core/doors/front.ts'
import { type Scope, SvcError } from '../../../core/doors/plugin.ts'
import type { ServeStreams } from './serve-stdio.ts'

/** Options for MCP over stdin and stdout. */
export interface StdioOptions {
  readonly require_auth: boolean
  readonly stdio_token?: string
  readonly stdio_api_key?: string
}

/**
 * Serves MCP over stdin and stdout of the process as soon as the service is ready.
 * @param serve serves a client over a pair of streams
 */
export function setUpStdio(scope: Scope, options: StdioOptions, serve: ServeStreams): void {
  let end: (() => Promise<void>) | null = null
  scope.onReady(() => {
    const headers = credentialOf(options, scope.process.credentials)
    const write = takeStdout()
    // Commands that boot the service, such as `svc mcp check`, print to stdout themselves.
    if (write === null) return
    if (options.require_auth && Object.keys(headers).length === 0)
      throw new SvcError(
        'SVC_CONFIG_INVALID',
        '[svc.mcp] over stdio wants to know who asks: set SVC_MCP_TOKEN to a token or SVC_MCP_API_KEY to a key, or require_auth = false.',
      )
    if (scope.process.peers.index !== null)
      throw new SvcError('SVC_CONFIG_INVALID', '[svc.mcp] over stdio has one client: set server.workers = 1.')
    // The client that started this process has gone, so the process shuts down as on SIGTERM.
    const ended = (): void => void process.kill(process.pid, 'SIGTERM')
    end = serve({ input: process.stdin, write: (line) => write(`${line}\n`), headers, ended })
  })
  scope.onDrain(() => end?.())
}

/** Returns the credential from the environment as headers, which stdio does not have. It is verified like a header of a request. */
function credentialOf(
  { stdio_token: token, stdio_api_key: key }: StdioOptions,
  credentials: readonly OwnedCredential[],
): Readonly<Record<string, string>> {
  const keys = credentials.filter(({ in: place, scheme }) => place === 'header' && scheme === 'key')
  const own = keys.find(({ plugin }) => plugin === 'api-keys') ?? keys[0]
  if (key !== undefined && own === undefined)
    throw new SvcError(
      'SVC_CONFIG_INVALID',
      '[svc.mcp] has a key for stdio (SVC_MCP_API_KEY), and no plugin of the list takes keys: set security.api_keys.enabled = true.',
    )
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(key === undefined || own === undefined ? {} : { [own.name.toLowerCase()]: key }),
  }
}
