import { Button } from '../ui/button.tsx';

export function RunButton() {
  return (
    <Button look="primary" disabled>
      Run
    </Button>
  );
}
