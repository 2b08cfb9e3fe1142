import { SvcError } from '../../base/errors/svc-error.ts'

/**
 * Chooses the media type of a reply by the client's `Accept` header. Between types that the client prefers equally, the
 * first in `produced` is chosen (RFC 9110, 12.5.1).
 * @param accept value of the header; `undefined`: any type
 * @param produced media types that the endpoint can produce
 * @throws SvcError NOT_ACCEPTABLE: the client accepts none of them
 */
export function acceptable<T extends string>(
  accept: string | readonly string[] | undefined,
  produced: readonly T[],
): T {
  if (accept === undefined || accept === '*/*' || accept === produced[0]) return produced[0]!
  const ranges = (typeof accept === 'string' ? accept : accept.join(',')).split(',').map(readRange)
  let best: T | null = null
  let bestQuality = 0
  for (const type of produced) {
    const names = [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*']
    const range = names.map((name) => ranges.find((one) => one.type === name)).find((one) => one !== undefined)
    if (range !== undefined && range.quality > bestQuality) {
      best = type
      bestQuality = range.quality
    }
  }
  if (best !== null) return best
  throw new SvcError('NOT_ACCEPTABLE', `Accept: there is ${produced.join(' and ')} here.`, {
    details: { available: produced },
  })
}

function readRange(text: string): { readonly type: string; readonly quality: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const q = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1)
  return { type, quality: q >= 0 && q <= 1 ? q : 0 }
}
