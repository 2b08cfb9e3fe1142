import type { Offers } from '../offers/offers.ts'
import type { Client } from '../protocol/client.ts'
import { isObject, type Params } from '../protocol/message.ts'
import { RPC, RpcError } from '../protocol/rpc-error.ts'
import { nameIn } from './uri-template.ts'

/** Maximum number of values by the protocol. */
const MOST = 100

/**
 * Handles `completion/complete`: suggests values for an argument of a prompt or for the variable of a resource URI.
 * @throws RpcError −32602 for invalid parameters
 */
export async function completeFor(offers: Offers, { ref, argument }: Params, { exchange }: Client): Promise<object> {
  if (!isObject(ref) || !isObject(argument)) throw invalid('"ref" and "argument" have to be objects.')
  const { name, value } = argument
  if (typeof name !== 'string' || typeof value !== 'string') throw invalid('"argument" has a name and a value.')
  const found = await valuesFor(offers, ref, name, value, exchange)
  const values = found.slice(0, MOST)
  return { completion: { values, total: found.length, hasMore: found.length > values.length } }
}

async function valuesFor(
  offers: Offers,
  ref: Params,
  name: string,
  start: string,
  exchange: Client['exchange'],
): Promise<readonly string[]> {
  if (ref.type === 'ref/resource') {
    const template = offers.templates.find(({ uriTemplate }) => uriTemplate === ref.uri)
    if (template === undefined || nameIn(template.uriTemplate) !== name)
      throw invalid('There is no such template of resources, or no such value in it.')
    return (await template.complete?.(exchange, start)) ?? []
  }
  if (ref.type !== 'ref/prompt' || typeof ref.name !== 'string')
    throw invalid('"ref" is a prompt or a template of resources.')
  const prompt = offers.prompt(exchange.generation, ref.name)
  if (
    prompt === undefined ||
    (await prompt.mayGet?.(exchange)) === false ||
    !prompt.arguments.some((each) => each.name === name)
  )
    throw invalid('There is no such prompt, or no such argument of it.')
  return (await prompt.complete?.(exchange, name, start)) ?? []
}

function invalid(message: string): RpcError {
  return new RpcError(RPC.invalidParams, message)
}
