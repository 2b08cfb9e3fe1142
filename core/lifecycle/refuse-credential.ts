import type { Exchange } from '../contract/exchange.ts'
import type { Signal, Signals } from '../signals/signals.ts'

/** Beside the signal, not in it: whoever prints signals prints no headers. */
const exchanges = new WeakMap<Signal, Exchange>()

/**
 * Tells that somebody came with a credential that is not valid, for whoever counts failed logins.
 * @param method name of the plugin that refuses it
 * @param reason a word of ours, nothing of the credential
 */
export function refuseCredential(signals: Signals, exchange: Exchange, method: string, reason: string): void {
  const { id, address } = exchange
  const signal: Signal = { type: 'credential-refused', requestId: id, address, method, reason }
  exchanges.set(signal, exchange)
  signals.emit(signal)
}

/** The request that a `credential-refused` is about: its id may be the client's own, and its address the proxy's. */
export function refusedExchange(signal: Signal): Exchange | undefined {
  return exchanges.get(signal)
}
