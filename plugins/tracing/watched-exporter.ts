import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base'

/** What becomes of spans that go out. */
export interface ExportReport {
  exported(spans: number): void
  /** @param isNews whether the batch before it was delivered, or it is the first */
  lost(spans: number, error: Error | undefined, isNews: boolean): void
  /** Deliveries work again. */
  recovered(): void
}

type Done = Parameters<SpanExporter['export']>[1]

/** An exporter that tells what became of its spans: a collector that is away is said once, not for every batch. */
export function watchExporter(exporter: SpanExporter, report: ExportReport): SpanExporter {
  let isFailing = false

  function tell(spans: number, error: Error | undefined): void {
    report.lost(spans, error, !isFailing)
    isFailing = true
  }

  return {
    export(spans: ReadableSpan[], done: Done) {
      exporter.export(spans, (result) => {
        if (result.code === 0) {
          report.exported(spans.length)
          if (isFailing) report.recovered()
          isFailing = false
        } else tell(spans.length, result.error)
        // It has been told; of a failure the SDK would only say the same elsewhere.
        done({ code: 0 })
      })
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush !== undefined && { forceFlush: () => exporter.forceFlush!() }),
  }
}
