import { type Mood, misbehave, type Standin, serve } from './http.js';

/** A receiver of webhook calls that records them and answers as configured. */
export interface WebhookReceiver extends Standin {
  mood: Mood;
  /** The answer in mood `well`. */
  answer: { status: number; headers?: Record<string, string>; body?: string };
}

/** Starts a webhook receiver, on a free port unless it is given; it answers 204 unless configured otherwise. */
export async function startWebhookReceiver(port = 0): Promise<WebhookReceiver> {
  const standin = await serve((_request, response) => {
    if (misbehave(receiver.mood, response)) return;
    response.writeHead(receiver.answer.status, receiver.answer.headers);
    response.end(receiver.answer.body);
  }, port);
  const receiver: WebhookReceiver = { ...standin, mood: 'well', answer: { status: 204 } };
  return receiver;
}
