import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { SvcError } from '../../base/errors/svc-error.ts'
import { checkSource } from '../serve/loopback-guard.ts'
import { type Problem, printPlace } from './problem.ts'

/**
 * An HTTP server that `svc dev` runs at the service's address while the project does not compile. It shows the errors.
 */
export interface WaitingPage {
  /** URL of the server, without a slash at the end. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Starts a server that responds to every request with status 503 and the current errors: to browsers with a page that
 * reloads itself, to programs with a GraphQL error.
 * @param readProblems returns the current errors
 * @throws SvcError SVC_LISTEN_FAILED: the address cannot be listened on, for example because another process uses it
 */
export async function openWaitingPage(
  host: string,
  port: number,
  readProblems: () => readonly Problem[],
): Promise<WaitingPage> {
  const server = createServer((request, response) => answer(request, response, readProblems()))
  await listen(server, host, port)
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new SvcError('SVC_LISTEN_FAILED', `svc dev cannot listen on ${host}:${port}: ${cause.message}`, { cause }),
      ),
    )
    server.listen(port, host, () => resolve())
  })
}

function answer(request: IncomingMessage, response: ServerResponse, problems: readonly Problem[]): void {
  try {
    checkSource(request.headers, 'svc dev')
  } catch {
    response.writeHead(403, { connection: 'close' }).end()
    return
  }
  request.resume()
  const isBrowser = request.headers.accept?.startsWith('text/html') === true
  const body = isBrowser ? printPage(problems) : printErrors(problems)
  response
    .writeHead(503, {
      'content-type': isBrowser ? 'text/html; charset=utf-8' : 'application/json',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'retry-after': '1',
      // The service that follows listens on the same port.
      connection: 'close',
    })
    .end(body)
}

function printErrors(problems: readonly Problem[]): string {
  const errors = problems.map((problem) => {
    const place = printPlace(problem)
    const message = place === '' ? problem.message : `${place}: ${problem.message}`
    return { message, extensions: { code: 'SERVICE_UNAVAILABLE' } }
  })
  return JSON.stringify({ errors })
}

function printPage(problems: readonly Problem[]): string {
  const rows = problems.map((problem) => {
    const place = printPlace(problem)
    return `<li>${place === '' ? '' : `<b>${escapeHtml(place)}</b><br>`}${escapeHtml(problem.message)}</li>`
  })
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="refresh" content="1">
    <title>svc dev · errors</title>
    <style>body { font: 14px/1.6 ui-monospace, monospace; margin: 2em; white-space: pre-wrap }</style>
  </head>
  <body><h1>The project cannot be served yet</h1><ul>${rows.join('')}</ul><p>This page shows the service as soon as the errors are mended.</p></body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
