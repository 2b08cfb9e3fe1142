import { takeStdout } from '../../../core/doors/command.ts'
import type { OwnedCredential } from '../../../core/doors/front.ts'
import { type Scope, SvcError } from '../../../core/doors/plugin.ts'
import type { McpApi } from '../api.ts'
import type { McpOptions } from '../options.ts'

/** Opens stdin and stdout of the process for the protocol, when the service is ready. */
export function setUpStdio(scope: Scope, options: McpOptions, serve: McpApi['serve']): void {
  let end: (() => Promise<void>) | null = null
  scope.onReady(() => {
    const headers = credentialOf(options, scope.process.credentials)
    const write = takeStdout()
    // A command that boots the service prints there itself.
    if (write === null) return
    if (options.require_auth && Object.keys(headers).length === 0)
      throw new SvcError(
        'SVC_CONFIG_INVALID',
        '[svc.mcp] over stdio wants to know who asks: set SVC_MCP_TOKEN to a token or SVC_MCP_API_KEY to a key, or require_auth = false.',
      )
    if (scope.process.peers.index !== null)
      throw new SvcError('SVC_CONFIG_INVALID', '[svc.mcp] over stdio has one client: set server.workers = 1.')
    // Who started this process for itself has gone: it stops as it does when it is told to.
    const ended = (): void => void process.kill(process.pid, 'SIGTERM')
    end = serve({ input: process.stdin, write: (line) => write(`${line}\n`), headers, ended })
  })
  scope.onDrain(() => end?.())
}

/** Over stdio there are no headers; a credential comes from the environment, and is verified as in a header. */
function credentialOf(
  { stdio_token: token, stdio_api_key: key }: McpOptions,
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
