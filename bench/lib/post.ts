import { Agent, type IncomingHttpHeaders, request } from 'node:http'

export interface GraphQLRequest {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Time from the first sent byte to the last received one. */
  readonly ms: number
  /** Size of the body. */
  readonly bytes: number
}

/** A kept-alive connection for consecutive requests, and more connections for overlapping ones. */
const agent = new Agent({ keepAlive: true, maxSockets: 2000, scheduling: 'lifo' })

/** Sends one request to a server of this machine. @param more headers */
export function postGraphQL(
  url: string,
  { query, variables }: GraphQLRequest,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const payload = JSON.stringify({ query, variables })
  const headers = { ...more, 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }
  return new Promise((done, fail) => {
    const started = performance.now()
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', fail)
      response.on('end', () => {
        const body = Buffer.concat(chunks)
        done({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: body.toString(),
          ms: performance.now() - started,
          bytes: body.length,
        })
      })
    })
    sent.on('error', fail)
    sent.end(payload)
  })
}

/** Like {@link postGraphQL}. @throws Error for a response that is not 200 or has errors */
export async function postData(url: string, request: GraphQLRequest): Promise<Answer> {
  const answer = await postGraphQL(url, request)
  if (answer.status !== 200 || answer.body.startsWith('{"errors"')) {
    throw new Error(`status ${answer.status}: ${answer.body.slice(0, 500)}`)
  }
  return answer
}
