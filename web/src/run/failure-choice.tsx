import { useState } from 'react';
import { chooseRun, useWork } from '../project/work-store.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { failureWords, SKIP_FAILED, STOP_AT_FIRST, unitOf } from './run-choices.ts';

type Choice = 'skip' | 'first' | 'share';
const HINTS: Readonly<Record<Choice, string>> = {
  skip: 'The other rows become documents. You can retry the failed ones later.',
  first: 'A failed row ends the run, and nothing is delivered.',
  share: 'The run ends, and nothing is delivered, once more rows than this have failed.',
};

/** What to do with failed rows, in words. The engine of the server counts them in percent. */
export function FailureChoice() {
  const percent = useWork((work) => work.run.maxFailedRowPercent);
  const unit = useWork((work) => unitOf(work.run));
  const [choice, setChoice] = useState<Choice>(
    percent >= SKIP_FAILED ? 'skip' : percent <= STOP_AT_FIRST ? 'first' : 'share',
  );
  const choose = (next: Choice) => {
    setChoice(next);
    const share = percent > STOP_AT_FIRST && percent < SKIP_FAILED ? percent : 5;
    chooseRun({ maxFailedRowPercent: { skip: SKIP_FAILED, first: STOP_AT_FIRST, share }[next] });
  };
  return (
    <>
      <SelectField
        label={`If a ${unit} fails`}
        hint={HINTS[choice].replace('row', unit)}
        value={choice}
        onChange={(event) => choose(event.target.value as Choice)}
      >
        <option value="skip">{failureWords(SKIP_FAILED, unit)}</option>
        <option value="first">{failureWords(STOP_AT_FIRST, unit)}</option>
        <option value="share">Stop above a share of failed {unit}s</option>
      </SelectField>
      {choice === 'share' && (
        <TextField
          label="Stop above"
          unit={`% of the ${unit}s`}
          inputMode="numeric"
          value={String(percent)}
          onChange={(event) => {
            const typed = Number(event.target.value.replaceAll(/\D/g, ''));
            chooseRun({ maxFailedRowPercent: Math.min(SKIP_FAILED, typed) });
          }}
        />
      )}
    </>
  );
}
