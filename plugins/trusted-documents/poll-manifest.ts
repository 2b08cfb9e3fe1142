/** Where nothing is polled and the manifest could not be read at start: when it is tried again first, and at the latest. */
const FIRST_RETRY_MS = 1000
const LAST_RETRY_MS = 60_000

export interface RefreshParts {
  /** Reads the manifest and puts it to use. */
  readonly load: () => Promise<void>
  /** Told of the first failure, and of the next one only after a success. */
  readonly failed: (error: unknown) => void
}

/** @returns reads it again, one at a time; was it read? Never rejects */
export function createRefresh({ load, failed }: RefreshParts): () => Promise<boolean> {
  let isFailing = false
  let running: Promise<boolean> | null = null
  async function refresh(): Promise<boolean> {
    try {
      await load()
      isFailing = false
      return true
    } catch (error) {
      if (!isFailing) failed(error)
      isFailing = true
      return false
    }
  }
  // A server that takes longer than the interval is asked again when it has answered.
  return () => {
    running ??= refresh().finally(() => {
      running = null
    })
    return running
  }
}

/**
 * Reads the manifest every so many seconds; one that could not be read at start until it can be, whatever the interval.
 * @returns the function that ends it
 */
export function pollManifest(refresh: () => Promise<boolean>, intervalSecs: number, isUnread: boolean): () => void {
  let timer: NodeJS.Timeout | undefined
  let isEnded = false
  const retry = (afterMs: number): void => {
    timer = setTimeout(() => {
      void refresh().then((isRead) => {
        if (!isRead && !isEnded) retry(Math.min(afterMs * 2, LAST_RETRY_MS))
      })
    }, afterMs).unref()
  }
  if (intervalSecs > 0) timer = setInterval(() => void refresh(), intervalSecs * 1000).unref()
  else if (isUnread) retry(FIRST_RETRY_MS)
  return () => {
    isEnded = true
    clearTimeout(timer)
  }
}
